import { contextBridge, type IpcRendererEvent, ipcRenderer } from 'electron'
import type { AppEvent, Bridge, callChannel, eventChannel } from '../shared/ipc/contract.ts'

// The channel names are repeated here. Importing them would add the schemas of the whole contract to the bundle of this file.
const call: typeof callChannel = 'app:call'
const events: typeof eventChannel = 'app:event'

const bridge: Bridge = {
  call: (name, input, withinMs = 0) => ipcRenderer.invoke(call, name, input, withinMs),
  on(listener) {
    const forward = (_event: IpcRendererEvent, event: AppEvent) => listener(event)
    ipcRenderer.on(events, forward)
    return () => {
      ipcRenderer.removeListener(events, forward)
    }
  },
}

contextBridge.exposeInMainWorld('appBridge', bridge)
