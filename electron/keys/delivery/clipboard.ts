import { second } from '../../../shared/time.ts'
import { Secret } from '../../kernel/secret.ts'

/** The part of Electron's system clipboard that the app uses. */
export interface SystemClipboard {
  readText(): Promise<string>
  writeText(text: string): Promise<void>
  clear(): void
}

/** A raw format of the system’s clipboard, in Electron’s notation. */
const systemFormat = (name: string): string => `electron application/osclipboard;format="${name}"`

/** A Windows DWORD with the value 0. */
const zero = new Blob([new Uint8Array(4)])

/** The formats that ask clipboard managers, histories and synchronisation not to keep a text, with their values. */
const hints: Partial<Readonly<Record<NodeJS.Platform, Readonly<Record<string, Blob>>>>> = {
  // http://nspasteboard.org
  darwin: { 'org.nspasteboard.ConcealedType': new Blob(['1']) },
  // Microsoft, “Clipboard formats”: the presence of the first one counts, and the value 0 of the others.
  win32: { ExcludeClipboardContentFromMonitorProcessing: zero, CanIncludeInClipboardHistory: zero, CanUploadToCloudClipboard: zero },
  // Klipper, and other clipboard managers of Linux.
  linux: { 'x-kde-passwordManagerHint': new Blob(['secret']) },
}

/**
 * The content of the clipboard for a secret: the text, and the system’s formats that mark it as a secret. Programs can ignore the mark, so the app
 * also clears the clipboard.
 */
export const concealed = (text: string, platform: NodeJS.Platform): Record<string, string | Blob> => ({
  'text/plain': text,
  ...Object.fromEntries(Object.entries(hints[platform] ?? {}).map(([name, value]) => [systemFormat(name), value])),
})

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

interface ClipboardParts {
  readonly system: SystemClipboard
  /** Puts a secret on the clipboard, marked as `concealed` does. */
  readonly writeSecret: (text: string) => Promise<void>
}

export function createClipboard({ system, writeSecret }: ClipboardParts): SecretClipboard {
  let copied: Secret | null = null
  let timer: NodeJS.Timeout | undefined
  /** How often the app was asked to clear the clipboard. */
  let clearings = 0

  const clear = async () => {
    clearings += 1
    clearTimeout(timer)
    const ours = copied
    if (ours === null) return
    copied = null
    try {
      // Clear only the secret that the app copied. The user may have copied something else in the meantime.
      if ((await system.readText()) === ours.reveal()) system.clear()
    } catch (error) {
      if (copied === null) {
        copied = ours
        clearIn(retryMs)
      }
      throw error
    }
  }
  const clearIn = (ms: number) => {
    clearTimeout(timer)
    timer = setTimeout(() => void clear().catch(() => undefined), ms)
  }

  return {
    async copySecret(secret) {
      clearTimeout(timer)
      const before = clearings
      try {
        // A system that rejects the marks must not keep the user from copying a secret. The app clears the clipboard in any case.
        await writeSecret(secret.reveal()).catch(() => system.writeText(secret.reveal()))
        copied = secret
      } finally {
        // If the copy failed, the clipboard may still contain the secret before it.
        clearIn(clipboardLifeMs)
      }
      // The app was locked during the copy.
      if (clearings !== before) await clear()
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
