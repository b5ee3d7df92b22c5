/**
 * The arguments of `svc-desk` if the packaged program was started under that name; null if it was started as the app.
 * A packaged app contains no separate Node, and its program cannot act as Node (`runAsNode` is off).
 */
export function commandWords(argv: readonly string[]): readonly string[] | null {
  const at = argv.indexOf('--svc-desk')
  return at < 0 ? null : argv.slice(at + 1)
}
