import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { AppEvent } from '../../shared/ipc/contract.ts'
import type { TerminalRequest } from '../../shared/ipc/keys/secrets.ts'
import { fail, ok } from '../../shared/result.ts'
import { type Clock, minute } from '../../shared/time.ts'
import type { ErrorLog } from '../host/ipc/answer-call.ts'
import { ExpectedFailure } from '../kernel/failures.ts'
import type { Handlers, HandlersOf } from '../kernel/handlers.ts'
import { type Allow, answerCommand, endsOrLooks, refused, type TerminalProfiles } from './answer-command.ts'
import type { Caller } from './channel/address-file.ts'
import { createLineServer } from './channel/line-server.ts'
import type { Answered, Asked } from './channel/messages.ts'
import { type Refusal, refusal, refusalOf } from './channel/refusal.ts'
import { type BoundRequest, createGrants, type Grants } from './terminal-grants.ts'

export interface TerminalDeps {
  readonly userData: string
  readonly platform: NodeJS.Platform
  readonly profiles: TerminalProfiles
  /** The path of the program that runs `svc-desk`, with links resolved: `svc-desk` itself in a package, or Node from the source. */
  readonly ownProgram: string
  readonly clock: Clock
  readonly newId: () => string
  readonly emit: (event: AppEvent) => void
  readonly attract: () => void
  readonly unlocked: () => boolean
  readonly log: ErrorLog
}

export interface Terminal {
  readonly handlers: HandlersOf<'terminal'>
  open(): Promise<void>
  /** Ends all permissions of commands, so that the app asks the user about every command again. */
  endGrants(): void
  close(): Promise<void>
}

/** The app's side of `svc-desk`: gives keys and signing secrets to commands that the user approves here. */
export function createTerminal(deps: TerminalDeps): Terminal {
  const { userData, platform, ownProgram, profiles, clock, newId, emit, attract, unlocked, log } = deps
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
    const isExit = asked.type === 'fleet' ? asked.does.do === 'pause' : asked.type === 'gateway' && endsOrLooks(asked.does) && asked.does.do !== 'status'
    if (!unlocked() && !isExit) {
      attract()
      return refused(refusalOf({ kind: 'locked' }))
    }
    try {
      const answered = await answerCommand(asked, { profiles, allow: allowed(say, gone, caller), clock, tell: { said: say, gone } })
      // The app may have locked while it handled the request. If so, a command that changed something still gets the outcome, but a command that only
      // reads gets no results.
      if (!unlocked() && reads.includes(asked.type)) return refused(refusalOf({ kind: 'locked' }))
      if (answered.type === 'refused' && answered.signIn !== undefined) {
        emit({ type: 'notice', severity: 'info', notice: { code: 'command_needs_sign_in', ...answered.signIn }, to: '/keys' })
        attract()
      }
      return answered
    } catch (error) {
      if (error instanceof ExpectedFailure) return refused(refusalOf(error.failure))
      log.error(newId(), `terminal ${asked.type}`, error)
      return refused(refusal('internal', 'Svc Desk failed. Its log says more.'))
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

const reads: readonly Asked['type'][] = ['run', 'listen', 'list', 'fingerprints']

const refusals: Readonly<Record<Verdict, Refusal | null>> = {
  granted: null,
  granted_before: null,
  denied: refusal('denied', 'You denied this in Svc Desk. Nothing was started or changed.'),
  expired: refusal('later', 'No one answered in Svc Desk within a minute. Run the command again and answer there.'),
  withdrawn: refusal('later', 'The command ended before you answered.'),
  busy: refusal('later', 'Too many commands wait for an answer in Svc Desk. Answer them, then try again.'),
}

/**
 * The result of asking the user. granted_before: an earlier permission covers the request, so the app didn't ask. expired: the user did not answer
 * in time. withdrawn: the command ended. busy: too many requests are waiting.
 */
type Verdict = 'granted' | 'granted_before' | 'denied' | 'expired' | 'withdrawn' | 'busy'

export interface Approvals {
  /** Asks the user, unless a stored permission covers the request. Calls `asking` when the command must wait for the user. */
  ask(request: Omit<BoundRequest, 'id' | 'atMs' | 'expiresAtMs'>, asking: () => void, gone: AbortSignal): Promise<Verdict>
  readonly handlers: Handlers<'terminal.pending' | 'terminal.answer' | 'terminal.grants' | 'terminal.forget'>
}

interface ApprovalsDeps {
  readonly grants: Grants
  readonly clock: Clock
  readonly newId: () => string
  readonly changed: () => void
  readonly attract: () => void
}

export const patienceMs = minute
const mostWaiting = 8

export function createApprovals({ grants, clock, newId, changed, attract }: ApprovalsDeps): Approvals {
  const waiting = new Map<string, { readonly request: BoundRequest; readonly settle: (verdict: Verdict) => void }>()

  return {
    async ask(asked, asking, gone) {
      const atMs = clock.now()
      const request: BoundRequest = { ...asked, id: newId(), atMs, expiresAtMs: atMs + patienceMs }
      if (gone.aborted) return 'withdrawn'
      if (grants.use(request) !== null) return 'granted_before'
      if (waiting.size >= mostWaiting) return 'busy'
      const { promise, resolve } = Promise.withResolvers<Verdict>()
      const timer = setTimeout(() => resolve('expired'), patienceMs)
      const withdraw = () => resolve('withdrawn')
      gone.addEventListener('abort', withdraw, { once: true })
      waiting.set(request.id, { request, settle: resolve })
      asking()
      changed()
      attract()
      const verdict = await promise
      clearTimeout(timer)
      gone.removeEventListener('abort', withdraw)
      waiting.delete(request.id)
      changed()
      return verdict
    },
    handlers: {
      'terminal.pending': () => ok([...waiting.values()].map(({ request: { print: _, storedAtMs: __, ...shown } }): TerminalRequest => shown)),
      'terminal.answer'({ id, answer }) {
        const found = waiting.get(id)
        if (found === undefined) return fail({ kind: 'not_found', what: 'request' })
        if (answer === 'always') grants.add(found.request)
        // Remove the question at once, so that a second answer to it is ignored.
        waiting.delete(id)
        found.settle(answer === 'deny' ? 'denied' : 'granted')
        return ok({})
      },
      'terminal.grants': () => ok(grants.list()),
      'terminal.forget': ({ id }) => (grants.remove(id) ? ok({}) : fail({ kind: 'not_found', what: 'grant' })),
    },
  }
}

/** Programs that run any file or text that they get as input. */
const interpreters: ReadonlySet<string> = new Set([
  ...['node', 'nodejs', 'deno', 'bun', 'tsx', 'ts-node', 'electron', 'python', 'pythonw', 'pypy', 'ruby', 'irb', 'perl', 'php', 'lua', 'luajit', 'tclsh'],
  ...['sh', 'bash', 'dash', 'zsh', 'fish', 'ksh', 'mksh', 'csh', 'tcsh', 'ash', 'nu', 'busybox', 'toybox', 'pwsh', 'powershell', 'cmd'],
  ...['java', 'dotnet', 'mono', 'julia', 'r', 'rscript', 'guile', 'racket', 'elixir', 'erl', 'escript', 'groovy', 'scala', 'ghci', 'runghc', 'gdb'],
  ...['env', 'sudo', 'doas', 'su', 'nohup', 'nice', 'timeout', 'setsid', 'stdbuf', 'xargs', 'find', 'watch', 'script', 'strace', 'flock', 'systemd-run'],
  ...['awk', 'gawk', 'mawk', 'sed', 'make', 'gmake', 'vim', 'vi', 'nvim', 'emacs', 'ssh', 'uv', 'npx', 'npm', 'cargo', 'go', 'docker', 'podman'],
])

/** Recognises `python3.12`, `ruby2.7`, `node.exe` and `nodejs-24` by name, ignoring version and extension. */
export const isInterpreter = (program: string): boolean =>
  interpreters.has(
    basename(program)
      .toLowerCase()
      .replace(/\.exe$/, '')
      .replace(/[-_]?\d[\d.]*[a-z]?$/, ''),
  )

/**
 * How the app recognises a command's program when it reuses a stored permission. `print`: a hash of the program's bytes. `each`: why the app must
 * ask the user every time; there is then no hash.
 */
type Binding = { readonly each: NonNullable<TerminalRequest['each']>; readonly print: null } | { readonly each: null; readonly print: string }

export interface ClaimedCommand {
  readonly kind: TerminalRequest['kind']
  readonly words: readonly string[]
  readonly program: string | null
  readonly folder: string
}

const asked = (each: NonNullable<TerminalRequest['each']>): Binding => ({ each, print: null })

/**
 * Checks whether the app may store a permission for this command. The operating system must confirm the program, arguments and folder that the
 * command claims. The program must not be an interpreter or a script, which could run anything. `own` is the path of the program that runs as
 * `svc-desk`. `print` is a hash of the program's bytes.
 */
export async function bind({ kind, words, program, folder }: ClaimedCommand, caller: Caller | null, own: string): Promise<Binding> {
  // A revocation happens only once, so a stored permission would be useless. A plan gives keys away, so the user runs it each time.
  if (kind === 'revoke' || kind === 'fleet') return asked('once')
  if (caller === null || caller.program !== own || isInterpreter(own)) return asked('caller')
  const claims = claimsOf(kind, words)
  const said = caller.words.slice(caller.words.length - claims.length)
  if (claims.some((word, index) => word !== said[index])) return asked('caller')
  if (kind === 'run' && caller.folder !== folder) return asked('caller')
  if (kind === 'listen' && program !== own) return asked('caller')
  if (kind === 'run' && (program === null || isInterpreter(program))) return asked('interpreter')
  const print = await printOf(kind === 'run' ? (program ?? own) : own)
  return print === null ? asked('interpreter') : { each: null, print }
}

/**
 * Returns the arguments that the app must verify with the operating system, because only the command states them. These are all arguments of
 * `run`, and all but the first of `listen`. All other arguments come from the app.
 */
const claimsOf = (kind: ClaimedCommand['kind'], words: readonly string[]): readonly string[] =>
  kind === 'run' ? words : kind === 'listen' ? words.slice(1) : []

/** Hash of the program's bytes. null if the file cannot be read, or is a script, because an interpreter would run it. */
async function printOf(program: string): Promise<string | null> {
  const hash = createHash('sha256')
  let first = true
  try {
    await pipeline(createReadStream(program), async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) {
        if (first && chunk.subarray(0, 2).toString('latin1') === '#!') throw new Error('a script')
        first = false
        hash.update(chunk)
      }
    })
  } catch {
    return null
  }
  return hash.digest('hex')
}
