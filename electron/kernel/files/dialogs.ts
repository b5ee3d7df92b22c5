import { basename, dirname, join } from 'node:path'
import type {
  BrowserWindow,
  MessageBoxOptions,
  MessageBoxReturnValue,
  OpenDialogOptions,
  OpenDialogReturnValue,
  SaveDialogOptions,
  SaveDialogReturnValue,
  Shell,
} from 'electron'
import { visibleText } from '../../../shared/signing/wording.ts'

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

/** Electron's dialogs as the app may use them: a text that has not been checked does not type-check. */
export interface NativeDialog {
  readonly showMessageBox: Show<MessageOptions, MessageBoxReturnValue>
  readonly showOpenDialog: Show<OpenOptions, OpenDialogReturnValue>
  readonly showSaveDialog: Show<SaveOptions, SaveDialogReturnValue>
}

export interface MessageOptions extends Omit<MessageBoxOptions, 'checkboxLabel'> {
  title: DialogText
  message: DialogText
  detail: DialogText
  buttons: DialogText[]
}

interface FileTexts {
  title: DialogText
  buttonLabel: DialogText
  filters: { name: DialogText; extensions: string[] }[]
}
export type OpenOptions = Omit<OpenDialogOptions, 'message'> & FileTexts
export type SaveOptions = Omit<SaveDialogOptions, 'message' | 'nameFieldLabel'> & FileTexts

interface Show<Options, Answer> {
  (parent: BrowserWindow, options: Options): Promise<Answer>
  (options: Options): Promise<Answer>
}

declare const checked: unique symbol
/** Text that a native dialog may show: nothing in it is hidden, and none of it is longer than can be read. Made here alone. */
type DialogText = string & { readonly [checked]: true }

/** The most characters that each part shows. A question's are 2,000 together, with two buttons. */
export const most = { title: 80, message: 300, detail: 1_500, button: 60, fileName: 120 } as const

/** One line. What is too long loses its middle, and says how much. `atMost`: characters, 40 or more. */
export const dialogLine = (text: string, atMost: number): DialogText => cutMiddle(visibleText(text).replace(/[\t\n\r]/g, named), atMost) as DialogText

/** Lines as they are written, likewise. */
export const dialogLines = (text: string, atMost: number): DialogText => cutMiddle(visibleText(text).replace(/[\t\r]/g, named), atMost) as DialogText

const named = (character: string): string => `‹U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}›`

function cutMiddle(text: string, atMost: number): string {
  const characters = Array.from(text)
  if (characters.length <= atMost) return text
  // Room for the count, which is at most as long as that of the whole.
  const kept = atMost - ` … ${characters.length} characters left out … `.length
  const first = Math.ceil(kept / 2)
  return `${characters.slice(0, first).join('')} … ${characters.length - kept} characters left out … ${characters.slice(first - kept).join('')}`
}

interface ConfirmQuestion {
  readonly title: string
  /** One sentence. */
  readonly message: string
  /** What exactly is agreed to: at most `most.detail` characters are shown. */
  readonly detail: string
  /** Of the button that agrees. The other one is Cancel, and is the one that Enter presses. */
  readonly button: string
}

/** A question that no page can answer: for what a script in the page must never do alone. */
export type Confirm = (question: ConfirmQuestion) => Promise<boolean>

interface ConfirmParts {
  readonly dialog: Pick<NativeDialog, 'showMessageBox'>
  readonly window: () => BrowserWindow | null
}

export function createConfirm({ dialog, window }: ConfirmParts): Confirm {
  return async ({ title, message, detail, button }) => {
    const options: MessageOptions = {
      type: 'warning',
      title: dialogLine(title, most.title),
      message: dialogLine(message, most.message),
      detail: dialogLines(detail, most.detail),
      buttons: [dialogLine(button, most.button), dialogLine('Cancel', most.button)],
      defaultId: 1,
      cancelId: 1,
      noLink: true,
    }
    const parent = window()
    const { response } = await (parent === null ? dialog.showMessageBox(options) : dialog.showMessageBox(parent, options))
    return response === 0
  }
}
