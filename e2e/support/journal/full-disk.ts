import { execFileSync } from 'node:child_process'

/** Simulates a full disk for this process, by limiting every file that the process writes to 4 KiB. Linux only. */
export interface FullDisk {
  fill(): void
  free(): void
}

export function createFullDisk(): FullDisk {
  // Above the limit, the kernel sends the signal SIGXFSZ, which would end the process without a listener.
  process.on('SIGXFSZ', () => {})
  const limitFiles = (bytes: string) => void execFileSync('prlimit', ['--pid', String(process.pid), `--fsize=${bytes}:unlimited`])
  return { fill: () => limitFiles('4096'), free: () => limitFiles('unlimited') }
}
