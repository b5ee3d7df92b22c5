import type { Confirm, FileDialogs } from '../../kernel/files/dialogs.ts'
import type { SecretClipboard } from '../../keys/delivery/clipboard.ts'
import type { SecretOutlets } from '../../keys/delivery/secret-handlers.ts'

interface Outlets {
  readonly confirm: Confirm
  readonly files: FileDialogs
  readonly reveal: SecretOutlets['reveal']
  readonly clipboard: SecretClipboard
}

/**
 * What was begun before the lock may end after it: a dialog of the system that is still open, a keychain that took its
 * time. An answer that comes while it is locked counts as none, and no secret is shown or copied any more.
 */
export function guardOutlets({ confirm, files, reveal, clipboard }: Outlets, locked: () => boolean): Outlets {
  const whileOpen = (path: string | null) => (locked() ? null : path)
  return {
    confirm: async (question) => (await confirm(question)) && !locked(),
    files: {
      ...files,
      chooseFolder: async (question) => whileOpen(await files.chooseFolder(question)),
      chooseToOpen: async (question) => whileOpen(await files.chooseToOpen(question)),
      chooseToSave: async (question) => whileOpen(await files.chooseToSave(question)),
    },
    reveal: (label, secret) => (locked() ? { closesInMs: 0 } : reveal(label, secret)),
    clipboard: { ...clipboard, copySecret: async (secret) => (locked() ? { clearsInMs: 0 } : clipboard.copySecret(secret)) },
  }
}
