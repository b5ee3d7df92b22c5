import type {
  BrowserWindow,
  MessageBoxOptions,
  MessageBoxReturnValue,
  OpenDialogOptions,
  OpenDialogReturnValue,
  SaveDialogOptions,
  SaveDialogReturnValue,
} from 'electron'
import type { DialogText } from './dialog-text.ts'

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
