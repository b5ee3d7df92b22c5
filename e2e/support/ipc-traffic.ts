import type { ElectronApplication } from 'playwright-core'

/** Internals of Electron that `recordIpc` uses, because there is no public event for an `invoke`. */
interface Recorded {
  readonly ipcMain: {
    readonly _invokeHandlers?: Map<string, (...given: unknown[]) => unknown>
    /** The method of the stand-in for Electron that handles `invoke` calls. */
    answer?(message: { readonly parameters: unknown[] }, event: unknown): Promise<unknown>
  }
}

/** Records all IPC messages between the main process and its windows from now on. The returned function returns them as JSON text. */
export async function recordIpc(app: ElectronApplication): Promise<() => Promise<string>> {
  await app.evaluate((electron) => {
    const { ipcMain } = electron as unknown as Recorded
    const traffic: string[] = []
    Object.assign(globalThis, { ipcTraffic: traffic })
    const note = (entry: unknown) => traffic.push(JSON.stringify(entry))
    if (ipcMain.answer !== undefined) {
      const answer = ipcMain.answer.bind(ipcMain)
      ipcMain.answer = async (message, event) => {
        const reply = await answer(message, event)
        note({ asked: message.parameters, answered: reply })
        return reply
      }
    } else
      for (const [channel, handler] of ipcMain._invokeHandlers ?? [])
        ipcMain._invokeHandlers?.set(channel, async (event, ...asked) => {
          const answered = await handler(event, ...asked)
          note({ asked, answered })
          return answered
        })
    const follow = (window: Electron.BrowserWindow) => {
      const { webContents } = window
      const send = webContents.send.bind(webContents)
      webContents.send = (channel: string, ...told: unknown[]) => {
        note({ told })
        send(channel, ...told)
      }
    }
    for (const window of electron.BrowserWindow.getAllWindows()) follow(window)
    electron.app.on('browser-window-created', (_event, window) => follow(window))
  })
  return () => app.evaluate(() => (globalThis as unknown as { ipcTraffic: string[] }).ipcTraffic.join('\n')) // safe cast: the code above set `ipcTraffic`
}

/** Holds back the answers of the main process to calls of this name, until the returned function is called. */
export async function holdAnswers(app: ElectronApplication, name: string): Promise<() => Promise<void>> {
  await app.evaluate((electron, held) => {
    const { ipcMain } = electron as unknown as Recorded
    const gate = Promise.withResolvers<void>()
    Object.assign(globalThis, { releaseAnswers: gate.resolve })
    const isHeld = (asked: unknown) => JSON.stringify(asked).includes(`"${held}"`)
    if (ipcMain.answer !== undefined) {
      const answer = ipcMain.answer.bind(ipcMain)
      ipcMain.answer = async (message, event) => {
        if (isHeld(message.parameters)) await gate.promise
        return answer(message, event)
      }
    } else
      for (const [channel, handler] of ipcMain._invokeHandlers ?? [])
        ipcMain._invokeHandlers?.set(channel, async (event, ...asked) => {
          if (isHeld(asked)) await gate.promise
          return handler(event, ...asked)
        })
  }, name)
  return () => app.evaluate(() => (globalThis as unknown as { releaseAnswers: () => void }).releaseAnswers()) // safe cast: the code above set `releaseAnswers`
}
