/** One word for a POSIX shell: as it stands where that is safe, else in single quotes. */
export const shellWord = (word: string): string => (/^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)

interface RunCommand {
  readonly profile: string | null
  /** Whose secret the command gets: a key's label, or a webhook's URL. */
  readonly of: { readonly key: string } | { readonly webhook: string }
  readonly words: readonly string[]
}

/** The line that gives a secret to a command, ready to be pasted. The secret itself is no part of it. */
export const runCommand = ({ profile, of, words }: RunCommand): string =>
  [
    'svc-desk',
    'run',
    ...(profile === null ? [] : option('profile', profile)),
    ...('key' in of ? option('key', of.key) : option('webhook', of.webhook)),
    '--',
    ...words,
  ]
    .map(shellWord)
    .join(' ')

/** A name that is `--` would end the options. */
const option = (name: string, value: string): readonly string[] => (value === '--' ? [`--${name}=${value}`] : [`--${name}`, value])
