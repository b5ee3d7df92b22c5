import type { Handover } from '../../../../shared/ipc/keys/secrets.ts'
import { ok } from '../../../../shared/result.ts'
import { part, rules } from './parts.ts'
import { contentOf, type PlanResult } from './plan.ts'

/** `gh secret set`: gh encrypts it for the repository before it leaves. */
export function planGithub({ name, repo, environment, content }: Extract<Handover, { target: 'github' }>['options']): PlanResult {
  for (const checked of [part('name', name, rules.githubName), part('repo', repo, rules.repository), part('environment', environment, rules.environment)])
    if (!checked.ok) return checked
  return ok({
    words: ['gh', 'secret', 'set', name, `--repo=${repo}`, ...(environment === null ? [] : [`--env=${environment}`])],
    input: contentOf(content),
    remote: null,
    to: `GitHub secret ${name} of ${repo}`,
    sentence: `Sets the Actions secret ${name} of ${repo}${environment === null ? '' : `, environment ${environment}`}. One of that name is replaced.`,
    notes: ['Every workflow of the repository that runs with secrets can use it.', 'gh must be signed in.'],
  })
}
