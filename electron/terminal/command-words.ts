/**
 * The words of `svc-desk` where the app's own program was started as that command: a packaged app brings no Node, and its
 * program cannot be used as one (`runAsNode` is off). null: it was started as the app.
 */
export function commandWords(argv: readonly string[]): readonly string[] | null {
  const at = argv.indexOf('--svc-desk')
  return at < 0 ? null : argv.slice(at + 1)
}
