import type { Handover } from '../../../../shared/ipc/keys/secrets.ts'
import { ok } from '../../../../shared/result.ts'
import { part, rules } from './parts.ts'
import type { Handed, PlanResult } from './plan.ts'

/**
 * `kubectl` with a manifest on its input. Not `--from-file=/dev/stdin`, which needs a kind of pipe that not every parent
 * makes; not `apply` on the client's side, which would keep a copy of the secret in an annotation.
 */
export function planKubernetes({ name, entry, namespace, context, how, content }: Extract<Handover, { target: 'kubernetes' }>['options']): PlanResult {
  for (const checked of [
    part('name', name, rules.object),
    content === 'key' ? part('entry', entry, rules.entry) : ok(null),
    part('namespace', namespace, rules.namespace),
    part('context', context, rules.kubeContext),
  ])
    if (!checked.ok) return checked
  const where = [...(context === null ? [] : [`--context=${context}`]), ...(namespace === null ? [] : [`--namespace=${namespace}`])]
  const manifest = ({ key, baseUrl }: Handed) =>
    `${JSON.stringify(
      {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name, ...(namespace === null ? {} : { namespace }) },
        type: 'Opaque',
        stringData: content === 'key' ? { [entry]: key } : { SVC_API_KEY: key, SVC_BASE_URL: baseUrl },
      },
      null,
      2,
    )}\n`
  return ok({
    words: ['kubectl', ...where, ...(how === 'create' ? ['create'] : ['apply', '--server-side', '--force-conflicts']), '--filename=-'],
    input: manifest,
    remote: null,
    to: `kubernetes secret ${namespace === null ? '' : `${namespace}/`}${name}`,
    sentence: `${how === 'create' ? 'Makes' : 'Makes or replaces'} the secret ${name}${namespace === null ? '' : ` in ${namespace}`} in ${context === null ? 'the current cluster' : context}.`,
    notes: [
      ...(how === 'create' ? ['It fails where a secret of this name exists.'] : []),
      'Whoever may read secrets of this namespace can read it. Pods get a new value only when they start anew, or through a mounted file.',
    ],
  })
}
