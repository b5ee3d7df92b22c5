import type { WebPreferences } from 'electron'

/** What a page may do, for every window alike: sandboxed, isolated, without Node. `preload` null: the page has no bridge. */
export function pagePreferences({ preload, script, devTools }: { preload: string | null; script: boolean; devTools: boolean }): WebPreferences {
  return {
    ...(preload === null ? {} : { preload }),
    javascript: script,
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webSecurity: true,
    allowRunningInsecureContent: false,
    experimentalFeatures: false,
    webviewTag: false,
    navigateOnDragDrop: false,
    spellcheck: false,
    // WalletConnect must keep its relay's pings while the window is hidden.
    backgroundThrottling: false,
    devTools,
  }
}
