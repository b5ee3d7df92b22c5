import type { ElectronApplication } from 'playwright-core'

/** Makes the app’s system dialogs answer automatically, as a user would. Returns a function that lists the dialogs so far. */
export async function answerDialogs(
  app: ElectronApplication,
  answers: { readonly save?: string | null; readonly open?: string | null; readonly agree?: boolean },
): Promise<() => Promise<{ readonly title: string; readonly message: string; readonly detail: string }[]>> {
  await app.evaluate(({ dialog }, { save = null, open = null, agree = false }) => {
    const asked: unknown[] = []
    Object.assign(globalThis, { dialogsAsked: asked })
    const note = (given: unknown[]) => asked.push(given.at(-1))
    Object.assign(dialog, {
      showSaveDialog: async (...given: unknown[]) => {
        note(given)
        return { canceled: save === null, filePath: save ?? '' }
      },
      showOpenDialog: async (...given: unknown[]) => {
        note(given)
        return { canceled: open === null, filePaths: open === null ? [] : [open] }
      },
      showMessageBox: async (...given: unknown[]) => {
        note(given)
        return { response: agree ? 0 : 1, checkboxChecked: false }
      },
    })
  }, answers)
  return () => app.evaluate(() => (globalThis as unknown as { dialogsAsked: { title: string; message: string; detail: string }[] }).dialogsAsked) // safe cast: the code above set `dialogsAsked`
}
