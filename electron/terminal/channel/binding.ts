import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { TerminalRequest } from '../../../shared/ipc/keys/secrets.ts'
import type { Caller } from './caller.ts'

/** Programs that run whatever file or words they are given. */
const interpreters: ReadonlySet<string> = new Set([
  ...['node', 'nodejs', 'deno', 'bun', 'tsx', 'ts-node', 'electron', 'python', 'pythonw', 'pypy', 'ruby', 'irb', 'perl', 'php', 'lua', 'luajit', 'tclsh'],
  ...['sh', 'bash', 'dash', 'zsh', 'fish', 'ksh', 'mksh', 'csh', 'tcsh', 'ash', 'nu', 'busybox', 'toybox', 'pwsh', 'powershell', 'cmd'],
  ...['java', 'dotnet', 'mono', 'julia', 'r', 'rscript', 'guile', 'racket', 'elixir', 'erl', 'escript', 'groovy', 'scala', 'ghci', 'runghc', 'gdb'],
  ...['env', 'sudo', 'doas', 'su', 'nohup', 'nice', 'timeout', 'setsid', 'stdbuf', 'xargs', 'find', 'watch', 'script', 'strace', 'flock', 'systemd-run'],
  ...['awk', 'gawk', 'mawk', 'sed', 'make', 'gmake', 'vim', 'vi', 'nvim', 'emacs', 'ssh', 'uv', 'npx', 'npm', 'cargo', 'go', 'docker', 'podman'],
])

/** `python3.12`, `ruby2.7`, `node.exe`, `nodejs-24`: by the name alone, without version and ending. */
export const isInterpreter = (program: string): boolean =>
  interpreters.has(
    basename(program)
      .toLowerCase()
      .replace(/\.exe$/, '')
      .replace(/[-_]?\d[\d.]*[a-z]?$/, ''),
  )

/** What holds a grant to one program: `each` says why the user is asked each time instead. */
export type Binding = { readonly each: NonNullable<TerminalRequest['each']>; readonly print: null } | { readonly each: null; readonly print: string }

export interface ClaimedCommand {
  readonly kind: TerminalRequest['kind']
  readonly words: readonly string[]
  readonly program: string | null
  readonly folder: string
}

const asked = (each: NonNullable<TerminalRequest['each']>): Binding => ({ each, print: null })

/**
 * Whether what a command says of itself is what the system says of it, and whether its program is one that always does the same. `own` is the app's
 * program, which is `svc-desk` too. `print` changes with the program's bytes.
 */
export async function bind({ kind, words, program, folder }: ClaimedCommand, caller: Caller | null, own: string): Promise<Binding> {
  // A revocation happens once.
  if (kind === 'revoke') return asked('once')
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

/** The words that only the command itself knows; the others are made here. */
const claimsOf = (kind: ClaimedCommand['kind'], words: readonly string[]): readonly string[] =>
  kind === 'run' ? words : kind === 'listen' ? words.slice(1) : []

/** null: it cannot be read, or is a script, which its interpreter reads. */
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
