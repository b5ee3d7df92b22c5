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
import { dialogText } from '../../../shared/text/desktop-text.ts'
import { inUserLanguage } from '../user-language.ts'

export interface FileKind {
  readonly name: string
  /** File name extensions without the dot. */
  readonly extensions: readonly string[]
}

export interface FileQuestion {
  readonly title: string
  readonly button: string
  /** The file types that the user may choose. If the list is empty, the user may choose any file. */
  readonly kinds: readonly FileKind[]
}

/** The system’s file dialogs. Only the main process opens them, so a page can never choose a path. A result of null means that the user cancelled. */
export interface FileDialogs {
  chooseToOpen(question: FileQuestion): Promise<string | null>
  /** `suggested`: a file name or a whole path. If the file exists, the system asks the user before replacing it. */
  chooseToSave(question: FileQuestion & { readonly suggested: string }): Promise<string | null>
  chooseFolder(question: Pick<FileQuestion, 'title' | 'button'>): Promise<string | null>
  showInFolder(path: string): void
}

export interface FileDialogsParts {
  readonly dialog: Pick<NativeDialog, 'showOpenDialog' | 'showSaveDialog'>
  readonly shell: Pick<Shell, 'showItemInFolder'>
  /** The parent window of the dialog; null if there is none. */
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
        // Check only the file name for hidden characters, because the name may come from a label. The folder already exists.
        defaultPath: join(dirname(suggested), dialogLine(basename(suggested), most.fileName)),
        properties: ['showHiddenFiles', 'createDirectory', 'showOverwriteConfirmation'],
      }
      const parent = window()
      const { canceled, filePath } = await (parent === null ? dialog.showSaveDialog(options) : dialog.showSaveDialog(parent, options))
      return canceled || filePath === '' ? null : filePath
    },
  }
}

/** The dialog functions of Electron that the app may use. Their types accept only texts that were checked. */
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
/** A checked text for a native dialog: hidden characters are visible, and the length is limited. Only this file can create texts of this type. */
type DialogText = string & { readonly [checked]: true }

/** Maximum number of characters of each part of a dialog. A question with two buttons has at most 2,000 in total. */
export const most = { title: 80, message: 300, detail: 1_500, button: 60, fileName: 120 } as const

/**
 * Checks a text for a dialog and puts it on one line. If the text is too long, cuts its middle and shows how many characters are missing. `atMost`:
 * the maximum number of characters, at least 40.
 */
export const dialogLine = (text: string, atMost: number): DialogText => cutMiddle(visibleText(text).replace(/[\t\n\r]/g, named), atMost) as DialogText

/** Checks a text for a dialog like `dialogLine`, but keeps its line breaks. */
export const dialogLines = (text: string, atMost: number): DialogText => cutMiddle(visibleText(text).replace(/[\t\r]/g, named), atMost) as DialogText

const named = (character: string): string => `‹U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}›`

function cutMiddle(text: string, atMost: number): string {
  const characters = Array.from(text)
  if (characters.length <= atMost) return text
  const mark = (leftOut: number) => ` … ${inUserLanguage(() => dialogText.leftOut(leftOut))} … `
  // The cut text also contains the number of missing characters. Reserve space for the largest possible number.
  const kept = atMost - mark(characters.length).length
  const first = Math.ceil(kept / 2)
  return `${characters.slice(0, first).join('')}${mark(characters.length - kept)}${characters.slice(first - kept).join('')}`
}

interface ConfirmQuestion {
  readonly title: string
  /** The question to the user, in one sentence. */
  readonly message: string
  /** Describes exactly what the user agrees to. At most `most.detail` characters are shown. */
  readonly detail: string
  /** The label of the button that agrees. The other button is Cancel, which the Enter key presses. */
  readonly button: string
}

/** Asks the user in a system dialog, which a page cannot answer. The app uses it for actions that a script in a page must not trigger. */
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
      buttons: [
        dialogLine(button, most.button),
        dialogLine(
          inUserLanguage(() => dialogText.cancel),
          most.button,
        ),
      ],
      defaultId: 1,
      cancelId: 1,
      noLink: true,
    }
    const parent = window()
    const { response } = await (parent === null ? dialog.showMessageBox(options) : dialog.showMessageBox(parent, options))
    return response === 0
  }
}

/** Asks the user what closing the main window should do. Returns null if the user cancels. */
export function createCloseQuestion({ dialog, window }: ConfirmParts): () => Promise<'tray' | 'quit' | null> {
  return async () => {
    const options: MessageOptions = inUserLanguage(() => ({
      type: 'question',
      title: dialogLine(dialogText.closeQuestion, most.title),
      message: dialogLine(dialogText.closeMessage, most.message),
      detail: dialogLines(dialogText.closeDetail, most.detail),
      buttons: [dialogText.keepRunning, dialogText.quit, dialogText.cancel].map((label) => dialogLine(label, most.button)),
      defaultId: 0,
      cancelId: 2,
      noLink: true,
    }))
    const parent = window()
    const { response } = await (parent === null ? dialog.showMessageBox(options) : dialog.showMessageBox(parent, options))
    return response === 0 ? 'tray' : response === 1 ? 'quit' : null
  }
}
