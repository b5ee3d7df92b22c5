import type { HandoverReport } from '../../../../shared/ipc/keys/secrets.ts'
import { ok } from '../../../../shared/result.ts'
import { type Clock, second } from '../../../../shared/time.ts'
import type { Confirm } from '../../../kernel/files/confirm-dialog.ts'
import type { Handlers } from '../../../kernel/handlers.ts'
import type { HoldKey } from '../../../store/secrets/held-key.ts'
import type { NoteSecretUse } from '../../../store/secrets/secret-use.ts'
import { findProgram } from './find-program.ts'
import { pictureOf } from './plan.ts'
import { planHandover } from './plan-handover.ts'
import { runCommand } from './run-command.ts'

export interface HandoverDeps {
  readonly profileId: string
  /** `{base_url}` of the profile. */
  readonly baseUrl: string
  readonly holdKey: HoldKey
  /** Asked outside the page: what is in the page must not be able to send a secret anywhere. */
  readonly confirm: Confirm
  readonly note: NoteSecretUse
  readonly env: NodeJS.ProcessEnv
  /** Where commands are started: the user's home. */
  readonly folder: string
  readonly clock: Clock
}

const timeoutMs = 60 * second
const dots = '••••••••••••'

/** Hands a key to a server's own store of secrets, always on a command's input, never among its words or in its environment. */
export function createHandover({
  profileId,
  baseUrl,
  holdKey,
  confirm,
  note,
  env,
  folder,
  clock,
}: HandoverDeps): Handlers<'handover.preview' | 'handover.run'> {
  const place = { env, platform: process.platform }
  return {
    async 'handover.preview'(handover) {
      const plan = planHandover(handover)
      if (!plan.ok) return plan
      const { words, input, remote, sentence, notes } = plan.value
      return ok({
        words: [...words],
        program: await findProgram(words[0] ?? '', place),
        input: input({ key: dots, baseUrl }),
        remote,
        sentence,
        notes: [...notes],
      })
    },
    async 'handover.run'({ keyId, ...handover }) {
      const plan = planHandover(handover)
      if (!plan.ok) return plan
      const { words, input, to } = plan.value
      const key = await holdKey(keyId)
      if (!key.ok) return key
      const { label, secret } = key.value
      const noted = (outcome: 'done' | 'failed' | 'denied') => note({ use: 'handed_over', profileId, keyId, label, to, by: 'app', outcome })

      const program = await findProgram(words[0] ?? '', place)
      if (program === null) return ok(notRun('missing'))
      const agreed = await confirm({
        title: 'Hand a key over',
        message: `Give the secret of “${label}” to this command?`,
        detail: pictureOf(plan.value, program),
        button: 'Hand over',
      })
      if (!agreed) {
        noted('denied')
        return ok(notRun('declined'))
      }
      const taken = secret.take()
      if (!taken.ok) {
        noted('denied')
        return taken
      }
      const ran = await runCommand({
        program,
        words,
        input: input({ key: taken.value.reveal(), baseUrl }),
        secret: taken.value,
        env: { ...env, GH_PROMPT_DISABLED: '1', NO_COLOR: '1' },
        folder,
        timeoutMs,
        clock,
      })
      noted(ran.outcome === 'done' ? 'done' : 'failed')
      return ok(ran)
    },
  }
}

const notRun = (outcome: 'missing' | 'declined'): HandoverReport => ({ outcome, exitCode: null, signal: null, output: '', outputCut: false, tookMs: 0 })
