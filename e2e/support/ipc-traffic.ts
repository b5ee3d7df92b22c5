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
