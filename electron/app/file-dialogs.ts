import type { BrowserWindow, Dialog, Shell } from 'electron'

export interface FileKind {
  readonly name: string
  /** Without a dot. */
  readonly extensions: readonly string[]
}

export interface FileQuestion {
  readonly title: string
  /** Of the button that chooses. */
  readonly button: string
  /** Empty: any file. */
  readonly kinds: readonly FileKind[]
}

/** The system's own dialogs for files. Main alone asks, so a path never comes from the page. null: the user chose none. */
export interface FileDialogs {
  chooseToOpen(question: FileQuestion): Promise<string | null>
  /** `suggested`: a name, or a whole path. The system has asked before an existing file is named. */
  chooseToSave(question: FileQuestion & { readonly suggested: string }): Promise<string | null>
  chooseFolder(question: Pick<FileQuestion, 'title' | 'button'>): Promise<string | null>
  /** In the system's file manager. */
  showInFolder(path: string): void
}

export interface FileDialogsParts {
  readonly dialog: Pick<Dialog, 'showOpenDialog' | 'showSaveDialog'>
  readonly shell: Pick<Shell, 'showItemInFolder'>
  /** The dialog belongs to this window while there is one. */
  readonly window: () => BrowserWindow | null
}

export function createFileDialogs({ dialog, shell, window }: FileDialogsParts): FileDialogs {
  const filters = (kinds: readonly FileKind[]) => kinds.map(({ name, extensions }) => ({ name, extensions: [...extensions] }))
  const chooseOne = async (options: Electron.OpenDialogOptions): Promise<string | null> => {
    const parent = window()
    const { canceled, filePaths } = await (parent === null ? dialog.showOpenDialog(options) : dialog.showOpenDialog(parent, options))
    return canceled ? null : (filePaths[0] ?? null)
  }
  return {
    chooseToOpen: ({ title, button, kinds }) => chooseOne({ title, buttonLabel: button, filters: filters(kinds), properties: ['openFile', 'showHiddenFiles'] }),
    chooseFolder: ({ title, button }) => chooseOne({ title, buttonLabel: button, properties: ['openDirectory', 'showHiddenFiles'] }),
    showInFolder: (path) => shell.showItemInFolder(path),
    async chooseToSave({ title, button, kinds, suggested }) {
      const options: Electron.SaveDialogOptions = {
        title,
        buttonLabel: button,
        defaultPath: suggested,
        filters: filters(kinds),
        properties: ['showHiddenFiles', 'createDirectory', 'showOverwriteConfirmation'],
      }
      const parent = window()
      const { canceled, filePath } = await (parent === null ? dialog.showSaveDialog(options) : dialog.showSaveDialog(parent, options))
      return canceled || filePath === '' ? null : filePath
    },
  }
}
