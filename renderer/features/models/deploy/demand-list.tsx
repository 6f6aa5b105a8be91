import { useText } from '../../../i18n/index.ts';
import { Checkbox, Hint, Stack, Text } from '../../../ui/kit.ts';
import classes from './check-panel.module.css';

/** Granting it lets a build reach the network. */
export const buildNetworkGrant = 'build-network';

interface Demand {
  readonly id: string;
  readonly words: string;
}

interface DemandListProps {
  readonly demands: readonly Demand[];
  /** A build whose directives probably fail without a network, though nothing forces the permission. */
  readonly offersNetwork: boolean;
  readonly grants: readonly string[];
  readonly onChange: (grants: string[]) => void;
}

/** What a configuration asks for beyond the usual, each to be allowed by itself. */
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
