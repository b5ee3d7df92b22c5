const restartSwitch = '--restarted-after='

/** The reference of the error that the app restarted after; null: it was started in the usual way. */
export function restartedAfter(argv: readonly string[]): string | null {
  const given = argv.find((word) => word.startsWith(restartSwitch))?.slice(restartSwitch.length) ?? ''
  return /^e-[0-9a-f]{8}$/.test(given) ? given : null
}

/**
 * The command line that starts the app again after an error. It carries the reference itself: the journal may be what failed, and the disk may be
 * full. `argv`: of this process, its program first.
 */
export const restartWords = (argv: readonly string[], reference: string): string[] => [
  ...argv.slice(1).filter((word) => !word.startsWith(restartSwitch)),
  `${restartSwitch}${reference}`,
]
