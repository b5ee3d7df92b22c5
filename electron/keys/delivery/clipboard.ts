import { second } from '../../../shared/time.ts'
import { Secret } from '../../kernel/secret.ts'

/** The part of Electron's system clipboard that the app uses. */
export interface SystemClipboard {
  readText(): Promise<string>
  writeText(text: string): Promise<void>
  clear(): void
}

export const clipboardLifeMs = 30 * second
const retryMs = second

export interface SecretClipboard {
  /**
   * Copies a secret; returns the milliseconds until the app clears it. The app clears the clipboard after 30 s, on lock and on quit, if it still
   * contains the secret.
   */
  copySecret(secret: Secret): Promise<{ readonly clearsInMs: number }>
  copyText(text: string): Promise<void>
  /** Clears a copied secret immediately. Called on lock and on quit. */
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
      // Clear only the secret that the app copied. The user may have copied something else in the meantime.
      if ((await system.readText()) === ours.reveal()) system.clear()
    } catch (error) {
      copied ??= ours
      throw error
    }
  }
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

export interface ClipboardSource {
  text(): Promise<Secret>
  /** Clears the clipboard if it still contains `text`. Returns whether the clipboard was cleared. */
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
