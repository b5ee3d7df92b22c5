import { contextBridge, type IpcRendererEvent, ipcRenderer } from 'electron'
import type { Bridge, callChannel, DeskEvent, eventChannel } from '../shared/ipc/contract.ts'

// The values are spelled out, since importing them would bring every schema of the contract into this file.
const call: typeof callChannel = 'desk:call'
const events: typeof eventChannel = 'desk:event'

const bridge: Bridge = {
  call: (name, input) => ipcRenderer.invoke(call, name, input),
  on(listener) {
    const forward = (_event: IpcRendererEvent, event: DeskEvent) => listener(event)
    ipcRenderer.on(events, forward)
    return () => {
      ipcRenderer.removeListener(events, forward)
    }
  },
}

contextBridge.exposeInMainWorld('desk', bridge)
