import type { DeskEvent } from '../../shared/ipc/contract.ts'
import { fail, ok } from '../../shared/result.ts'
import type { Clock } from '../../shared/time.ts'
import type { ErrorLog } from '../host/ipc/answer-call.ts'
import { ExpectedFailure } from '../kernel/expected-failure.ts'
import type { Handlers } from '../kernel/handlers.ts'
import { type Allow, answerCommand, refused, type Shelves } from './answer.ts'
import { createApprovals, type Verdict } from './approvals.ts'
import { bind } from './channel/binding.ts'
import type { Caller } from './channel/caller.ts'
import { createLineServer } from './channel/line-server.ts'
import type { Answered, Asked } from './channel/messages.ts'
import { exitCodes, type Refusal, refusal, refusalOf } from './channel/refusal.ts'
import { createGrants } from './grants.ts'

export interface TerminalDeps {
  readonly userData: string
  readonly platform: NodeJS.Platform
  readonly shelves: Shelves
  /** The app's program, links resolved. It is `svc-desk`, too. */
  readonly ownProgram: string
  readonly clock: Clock
  readonly newId: () => string
  readonly emit: (event: DeskEvent) => void
  /** Brings the window forward. */
  readonly attract: () => void
  /** The app's lock: false while it is locked. */
  readonly unlocked: () => boolean
  readonly log: ErrorLog
}

export interface Terminal {
  readonly handlers: Handlers<'terminal.state' | 'terminal.pending' | 'terminal.answer' | 'terminal.grants' | 'terminal.forget'>
  open(): Promise<void>
  /** Every command is asked about again. */
  endGrants(): void
  close(): Promise<void>
}

/** The app's side of `svc-desk`: keys and signing secrets for commands that the user approves here. */
export function createTerminal(deps: TerminalDeps): Terminal {
  const { userData, platform, ownProgram, shelves, clock, newId, emit, attract, unlocked, log } = deps
  const grants = createGrants({ clock, newId })
  const approvals = createApprovals({
    grants,
    clock,
    newId,
    changed: () => emit({ type: 'invalidate', queries: ['terminal.pending'] }),
    attract,
  })
  let detail: string | null = 'Not open yet.'

  const allowed =
    (say: (answer: Answered) => void, gone: AbortSignal, caller: Caller | null): Allow =>
    async (kind, profile, { key, webhook }, { words, program, folder }) => {
      const verdict = await approvals.ask(
        {
          kind,
          profile: { id: profile.id, name: profile.name, kind: profile.kind },
          key: key === null ? null : { id: key.keyId, label: key.label, wallet: key.wallet },
          webhook: webhook === null ? null : { id: webhook.webhookId, url: webhook.url, wallet: webhook.wallet },
          words: [...words],
          program,
          folder,
          caller: caller === null ? null : { pid: caller.pid, program: caller.program, startedBy: caller.startedBy },
          ...(await bind({ kind, words, program, folder }, caller, ownProgram)),
          storedAtMs: [key?.storedAtMs ?? null, webhook?.storedAtMs ?? null],
        },
        () => say({ type: 'waiting', sentence: 'Waiting for your answer in Svc Desk.' }),
        gone,
      )
      const no = refusals[verdict]
      return no === null ? ok(undefined) : fail(no)
    }

  const answer = async (asked: Asked, say: (answer: Answered) => void, gone: AbortSignal, caller: Caller | null): Promise<Answered> => {
    if (!unlocked()) {
      attract()
      return refused(refusalOf({ kind: 'locked' }))
    }
    try {
      const answered = await answerCommand(asked, { shelves, allow: allowed(say, gone, caller), clock, tell: { said: say, gone } })
      // What changed something says how it ended; what was only read stays here.
      if (!unlocked() && reads.includes(asked.type)) return refused(refusalOf({ kind: 'locked' }))
      if (answered.type === 'refused' && answered.exitCode === exitCodes.wallet) {
        emit({ type: 'notice', severity: 'info', title: 'A command needs your sign-in', text: answered.sentence, to: '/keys' })
        attract()
      }
      return answered
    } catch (error) {
      if (error instanceof ExpectedFailure) return refused(refusalOf(error.failure))
      log.error(newId(), `terminal ${asked.type}`, error)
      return refused(refusal('internal', 'Something in Svc Desk went wrong. Its log says more.'))
    }
  }
  const server = createLineServer({ userData, platform, answer })

  return {
    handlers: { ...approvals.handlers, 'terminal.state': () => ok({ line: detail === null ? 'open' : 'closed', detail }) },
    async open() {
      detail = await server.open()
    },
    endGrants: grants.clear,
    close: server.close,
  }
}

const reads: readonly Asked['type'][] = ['run', 'listen', 'list']

const refusals: Readonly<Record<Verdict, Refusal | null>> = {
  granted: null,
  granted_before: null,
  denied: refusal('denied', 'Denied in Svc Desk.'),
  expired: refusal('later', 'Nobody answered in Svc Desk within a minute.'),
  withdrawn: refusal('later', 'The command ended before it was answered.'),
  busy: refusal('later', 'Too many commands wait for an answer in Svc Desk.'),
}
