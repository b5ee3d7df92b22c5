import type { Handover } from '../../../../shared/ipc/keys/secrets.ts'
import { ok } from '../../../../shared/result.ts'
import { isPlain, part, rules } from './parts.ts'
import { contentOf, type PlanResult, wrong } from './plan.ts'

/**
 * What `sh` does on the other computer, with the path as `$0`: a new file that nobody else can read, made only if it is not
 * there (`set -C`), then moved into place, so that neither a link nor the mode of a former file matters.
 */
const script = 'umask 077 && set -C && [ ! -d "$0" ] && : > "$0.$$" && { cat >> "$0.$$" && mv -f -- "$0.$$" "$0" || { rm -f -- "$0.$$"; exit 1; }; }'

/** One word for any shell of the other computer: single quotes, and none of the characters that a shell reads inside them. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

export function planSsh({ host, port, path, content }: Extract<Handover, { target: 'ssh' }>['options']): PlanResult {
  const named = part('host', host, rules.sshHost)
  if (!named.ok) return named
  // ssh begins in the home folder.
  const inHome = path.replace(/^~\//, '')
  if (inHome === '' || /[\\!]/.test(inHome) || !isPlain(inHome) || inHome.startsWith('~') || /(^|\/)\.{0,2}$/.test(inHome) || inHome.length > 1_024)
    return wrong('path', 'the path of a file, from / or from the home folder, without \\ and !')
  const target = inHome.startsWith('/') ? inHome : `./${inHome}`
  const remote = `sh -c ${quoted(script)} ${quoted(target)}`
  return ok({
    // Asks for nothing (BatchMode): a host that is not known yet, or a password, ends it.
    words: [
      'ssh',
      '-T',
      '-o',
      'BatchMode=yes',
      '-o',
      'ConnectTimeout=15',
      '-o',
      'ClearAllForwardings=yes',
      '-o',
      'ForwardAgent=no',
      ...(port === null ? [] : ['-p', String(port)]),
      '--',
      host,
      remote,
    ],
    input: contentOf(content),
    remote,
    to: `${host}:${path}`,
    sentence: `Writes ${path} on ${host}, readable by that user alone. A file of that name is replaced.`,
    notes: ['ssh must know the host already and get in without a password.', 'Administrators of that computer can read the file, and so can its backups.'],
  })
}
