import { Secret } from '../../kernel/secret.ts'
import type { SystemClipboard } from './clipboard.ts'

/** A secret that the user copied somewhere else and brings here. */
export interface ClipboardSource {
  text(): Promise<Secret>
  /** Clears the clipboard if it still holds what was read; gives whether it did. */
  clearIf(text: Secret): Promise<boolean>
}

export function createClipboardSource(system: SystemClipboard): ClipboardSource {
  return {
    text: async () => new Secret(await system.readText()),
    async clearIf(text) {
      if ((await system.readText()) !== text.reveal()) return false
      system.clear()
      return true
    },
  }
}
