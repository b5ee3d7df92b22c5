import type { Handover } from '../../../../shared/ipc/keys/secrets.ts'
import { ok } from '../../../../shared/result.ts'
import { part, rules } from './parts.ts'
import { contentOf, type PlanResult } from './plan.ts'

/** `docker secret create`: for services of a swarm. */
export function planDocker({ name, context, content }: Extract<Handover, { target: 'docker' }>['options']): PlanResult {
  const named = part('name', name, rules.docker)
  if (!named.ok) return named
  const from = part('context', context, rules.dockerContext)
  if (!from.ok) return from
  return ok({
    words: ['docker', ...(context === null ? [] : [`--context=${context}`]), 'secret', 'create', name, '-'],
    input: contentOf(content),
    remote: null,
    to: `docker secret ${name}`,
    sentence: `Makes the swarm secret ${name}. Services that are given it read it from /run/secrets/${name}.`,
    notes: ['Docker cannot change a secret: after a rotation make one under a new name and give it to the service.'],
  })
}
