import { second } from '../../../shared/time.ts'
import { Secret } from '../../kernel/secret.ts'

/** The system's clipboard, as Electron has it. */
export interface SystemClipboard {
  readText(): Promise<string>
  writeText(text: string): Promise<void>
  clear(): void
}

export const clipboardLifeMs = 30 * second
const retryMs = second

export interface SecretClipboard {
  /** Writes a secret; cleared after 30 s, on lock and on quit, if it still stands there. Gives the milliseconds until the clearing. */
  copySecret(secret: Secret): Promise<{ readonly clearsInMs: number }>
  /** Writes text that is not a secret; it stays. */
  copyText(text: string): Promise<void>
  /** Now, for lock and quit. */
  clear(): Promise<void>
}

export function createClipboard({ system }: { readonly system: SystemClipboard }): SecretClipboard {
  let copied: Secret | null = null
  let timer: NodeJS.Timeout | undefined

  const clear = async () => {
    clearTimeout(timer)
    const ours = copied
    if (ours === null) return
    copied = null
    try {
      // What the user copied since is none of this app's business.
      if ((await system.readText()) === ours.reveal()) system.clear()
    } catch (error) {
      copied ??= ours
      throw error
    }
  }
  /** Another program may hold the clipboard for a moment: then it tries again. */
  const clearIn = (ms: number) => {
    timer = setTimeout(() => void clear().catch(() => clearIn(retryMs)), ms)
  }

  return {
    async copySecret(secret) {
      clearTimeout(timer)
      await system.writeText(secret.reveal())
      copied = secret
      clearIn(clipboardLifeMs)
      return { clearsInMs: clipboardLifeMs }
    },
    async copyText(text) {
      await clear()
      await system.writeText(text)
    },
    clear,
  }
}

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
