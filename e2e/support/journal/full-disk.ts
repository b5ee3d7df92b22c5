import { execFileSync } from 'node:child_process'

/** A disk that fills up under this process, and has space again: no file of it may grow beyond 4 KiB meanwhile. Linux. */
export interface FullDisk {
  fill(): void
  free(): void
}

export function createFullDisk(): FullDisk {
  // The kernel tells of a file that would grow too large by a signal that ends the process, where nobody listens.
  process.on('SIGXFSZ', () => {})
  const limitFiles = (bytes: string) => void execFileSync('prlimit', ['--pid', String(process.pid), `--fsize=${bytes}:unlimited`])
  return { fill: () => limitFiles('4096'), free: () => limitFiles('unlimited') }
}
