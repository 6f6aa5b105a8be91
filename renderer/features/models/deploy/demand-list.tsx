import { useText } from '../../../i18n/index.ts';
import { Checkbox, Hint, Stack, Text } from '../../../ui/kit.ts';
import classes from './check-panel.module.css';

/** Allows network access during the build. */
export const buildNetworkGrant = 'build-network';

interface Demand {
  readonly id: string;
  readonly words: string;
}

interface DemandListProps {
  readonly demands: readonly Demand[];
  /** True if the build probably needs the network, though the permission is optional. */
  readonly offersNetwork: boolean;
  readonly grants: readonly string[];
  readonly onChange: (grants: string[]) => void;
}

/** Permissions that a configuration needs beyond the default, each with a checkbox. */
export function DemandList({ demands, offersNetwork, grants, onChange }: DemandListProps) {
  const t = useText();
  const box = ({ id, words }: Demand, description?: string) => (
    <Checkbox
      key={id}
      label={words}
      description={description}
      checked={grants.includes(id)}
      onChange={(event) =>
        onChange(event.currentTarget.checked ? [...grants, id] : grants.filter((grant) => grant !== id))
      }
    />
  );
  const isOffered = offersNetwork && !demands.some(({ id }) => id === buildNetworkGrant);
  return (
    <>
      {demands.length > 0 && (
        <div className={classes.demands} role="group" aria-label={t('modelDeploy.demands')}>
          <Text fz="sm" fw={600}>
            {t('modelDeploy.demands')}
          </Text>
          <Hint>{t('modelDeploy.demandsText')}</Hint>
          <Stack gap={10} mt={10}>
            {demands.map((demand) => box(demand))}
          </Stack>
        </div>
      )}
      {isOffered &&
        box({ id: buildNetworkGrant, words: t('modelDeploy.demandsOptional') }, t('modelDeploy.demandsOptionalText'))}
    </>
  );
}
