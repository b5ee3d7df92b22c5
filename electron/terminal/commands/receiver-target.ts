import { secretPrefixes } from '../../../shared/api/redact.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { inputIssueText } from '../../../shared/text/input-issue-text.ts'
import { Secret } from '../../kernel/secret.ts'
import { isConfirmed, readTarget, type Target } from '../../webhooks/receiver-test/target.ts'
import { throwawaySecret } from '../../webhooks/receiver-test/throwaway-secret.ts'
import type { LookUp } from '../../webhooks/subscriptions/webhook-host.ts'
import type { Typed } from '../channel/ask-passphrase.ts'
import { type Refusal, refusal } from '../channel/refusal.ts'
import type { Sent } from './command-line.ts'

export interface ReceiverParts {
  readonly env: NodeJS.ProcessEnv
  readonly lookUp: LookUp
  /** Asks on the terminal, and shows what is typed. */
  readonly askWord: (question: string) => Promise<Typed>
}

export interface AgreedTarget {
  readonly target: Target
  readonly confirmHost: string | null
  readonly secret: Secret
  readonly throwaway: boolean
}

/** Where to, and signed with what: asks on the terminal for what the command line does not say. */
export async function agreeTarget({ to, secretEnv }: Sent, { env, lookUp, askWord }: ReceiverParts): Promise<Result<AgreedTarget, Refusal>> {
  const own = secretEnv === null ? null : ownSecret(secretEnv, env)
  if (own !== null && !own.ok) return own
  const target = await readTarget(to, lookUp)
  if (!target.ok) return fail(refusal('usage', `--to cannot be that. ${inputIssueText(target.failure)}`))
  let confirmHost: string | null = null
  if (target.value.confirm !== null) {
    const { confirm } = target.value
    const typed = await askWord(`Programs behind ${confirm} may act on these events. Type its name to send them: `)
    if (typed === 'no_terminal') return fail(refusal('denied', `${confirm} is not this computer: its name has to be typed on a terminal, and there is none.`))
    confirmHost = typed === 'stopped' ? null : typed.typed
    if (!isConfirmed(target.value, confirmHost)) return fail(refusal('denied', 'That is not its name. Nothing was sent.'))
  }
  if (own !== null) return ok({ target: target.value, confirmHost, secret: own.value, throwaway: false })
  const secret = throwawaySecret()
  // On the terminal itself: in no output that is kept.
  const set = await askWord(`Made for this alone. Give it to your receiver as its signing secret, then press Enter:\n${secret.reveal()}\n`)
  if (set === 'no_terminal') return fail(refusal('usage', 'There is no terminal to show a secret on. Name a variable that holds one with --secret-env.'))
  return set === 'stopped' ? fail(refusal('denied', 'Nothing was sent.')) : ok({ target: target.value, confirmHost, secret, throwaway: true })
}

export function ownSecret(name: string, env: NodeJS.ProcessEnv): Result<Secret, Refusal> {
  const value = env[name] ?? ''
  if (value === '') return fail(refusal('usage', `${name} is not set.`))
  return /^[\x21-\x7e]+$/.test(value)
    ? ok(new Secret(value))
    : fail(refusal('usage', `${name} is no signing secret: one is ${secretPrefixes.webhook} and letters, without spaces.`))
}
