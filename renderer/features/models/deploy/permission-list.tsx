import { useText } from '../../../i18n/index.ts';
import { Checkbox, Hint, Stack, Text } from '../../../ui/kit.ts';
import classes from './check-panel.module.css';

/** Allows network access during the build. */
export const buildNetworkGrant = 'build-network';

interface Permission {
  readonly id: string;
  readonly message: string;
}

interface DemandListProps {
  readonly permissions: readonly Permission[];
  /** True if the build probably needs the network, though the permission is optional. */
  readonly offersNetwork: boolean;
  readonly grants: readonly string[];
  readonly onChange: (grants: string[]) => void;
}

/** Permissions that a configuration needs beyond the default, each with a checkbox. */
export function PermissionList({ permissions, offersNetwork, grants, onChange }: DemandListProps) {
  const t = useText();
  const box = ({ id, message }: Permission, description?: string) => (
    <Checkbox
      key={id}
      label={message}
      description={description}
      checked={grants.includes(id)}
      onChange={(isOn) => onChange(isOn ? [...grants, id] : grants.filter((grant) => grant !== id))}
    />
  );
  const isOffered = offersNetwork && !permissions.some(({ id }) => id === buildNetworkGrant);
  return (
    <>
      {permissions.length > 0 && (
        <div className={classes.permissions} role="group" aria-label={t('modelDeploy.permissions')}>
          <Text fz="sm" fw={600}>
            {t('modelDeploy.permissions')}
          </Text>
          <Hint>{t('modelDeploy.permissionsText')}</Hint>
          <Stack gap={10} mt={10}>
            {permissions.map((permission) => box(permission))}
          </Stack>
        </div>
      )}
      {isOffered &&
        box(
          { id: buildNetworkGrant, message: t('modelDeploy.permissionsOptional') },
          t('modelDeploy.permissionsOptionalText'),
        )}
    </>
  );
}
