/** One word for a POSIX shell: as it stands where that is safe, else in single quotes. */
export const shellWord = (word: string): string => (/^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)

/** The line that gives a key's secret to a command, ready to be pasted. The secret itself is no part of it. */
export const runCommand = ({ profile, key, words }: { readonly profile: string | null; readonly key: string; readonly words: readonly string[] }): string =>
  ['svc-desk', 'run', ...(profile === null ? [] : ['--profile', profile]), '--key', key, '--', ...words].map(shellWord).join(' ')
