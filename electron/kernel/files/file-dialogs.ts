import { basename, dirname, join } from 'node:path'
import type { BrowserWindow, Shell } from 'electron'
import { dialogLine, most } from './dialog-text.ts'
import type { NativeDialog, OpenOptions, SaveOptions } from './native-dialog.ts'

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
  readonly dialog: Pick<NativeDialog, 'showOpenDialog' | 'showSaveDialog'>
  readonly shell: Pick<Shell, 'showItemInFolder'>
  /** The dialog belongs to this window while there is one. */
  readonly window: () => BrowserWindow | null
}

export function createFileDialogs({ dialog, shell, window }: FileDialogsParts): FileDialogs {
  const texts = ({ title, button, kinds }: FileQuestion) => ({
    title: dialogLine(title, most.title),
    buttonLabel: dialogLine(button, most.button),
    filters: kinds.map(({ name, extensions }) => ({ name: dialogLine(name, most.button), extensions: [...extensions] })),
  })
  const chooseOne = async (options: OpenOptions): Promise<string | null> => {
    const parent = window()
    const { canceled, filePaths } = await (parent === null ? dialog.showOpenDialog(options) : dialog.showOpenDialog(parent, options))
    return canceled ? null : (filePaths[0] ?? null)
  }
  return {
    chooseToOpen: (question) => chooseOne({ ...texts(question), properties: ['openFile', 'showHiddenFiles'] }),
    chooseFolder: (question) => chooseOne({ ...texts({ ...question, kinds: [] }), properties: ['openDirectory', 'showHiddenFiles'] }),
    showInFolder: (path) => shell.showItemInFolder(path),
    async chooseToSave({ suggested, ...question }) {
      const options: SaveOptions = {
        ...texts(question),
        // The name may come from a label; the folder is one that there is.
        defaultPath: join(dirname(suggested), dialogLine(basename(suggested), most.fileName)),
        properties: ['showHiddenFiles', 'createDirectory', 'showOverwriteConfirmation'],
      }
      const parent = window()
      const { canceled, filePath } = await (parent === null ? dialog.showSaveDialog(options) : dialog.showSaveDialog(parent, options))
      return canceled || filePath === '' ? null : filePath
    },
  }
}
