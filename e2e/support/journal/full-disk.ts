import { execFileSync } from 'node:child_process'

/** A disk that fills up for this process and is freed again. Simulated by limiting every file that the process writes to 4 KiB. Linux only. */
export interface FullDisk {
  fill(): void
  free(): void
}

export function createFullDisk(): FullDisk {
  // The kernel signals a file that would grow too large. Without a listener, the signal ends the process.
  process.on('SIGXFSZ', () => {})
  const limitFiles = (bytes: string) => void execFileSync('prlimit', ['--pid', String(process.pid), `--fsize=${bytes}:unlimited`])
  return { fill: () => limitFiles('4096'), free: () => limitFiles('unlimited') }
}
