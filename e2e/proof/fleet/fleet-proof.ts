import { join } from 'node:path'
import type { Proof } from '../../../build/scripts/prove/proof.ts'
import type { Check } from '../gateways/gateways-proof.ts'

/**
 * Replaces 27 keys of three wallets with one plan: delivers them to a real sshd, podman, pass and systemd-creds, kills the app at 10 points, and checks
 * that the report is true.
 */
export const fleetProof: Proof<readonly Check[]> = {
  name: 'fleet',
  workbench: join(import.meta.dirname, 'fleet-workbench.ts'),
  workers: 1,
  limitMs: 10 * 60_000,
  items: () => ['plan'],
  line: (item, checks) => checks.map(({ name, holds, figures }) => `${item}: ${holds ? 'holds' : 'MISSED'} ${name}: ${figures}`).join('\n'),
  sum: (results) => {
    const all = [...results.values()].flat()
    return {
      line: `${all.filter(({ holds }) => holds).length}/${all.length} hold`,
      misses: all.filter(({ holds }) => !holds).map(({ name, figures }) => `${name}: ${figures}`),
    }
  },
}
