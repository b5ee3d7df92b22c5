/**
 * The arguments of `svc-desk` if the app's own program was started as that command. A packaged app brings no Node, and its program cannot act as Node
 * (`runAsNode` is off). null if it was started as the app.
 */
export function commandWords(argv: readonly string[]): readonly string[] | null {
  const at = argv.indexOf('--svc-desk')
  return at < 0 ? null : argv.slice(at + 1)
}
