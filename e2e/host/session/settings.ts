import { existsSync } from 'node:fs'

/** Settings of the stand-in for Electron, read from environment variables. All other settings come from Electron’s own command-line switches. */
export interface Settings {
  chromium: string
  /** Whether Chromium shows real windows on the display; otherwise it runs headless. */
  headed: boolean
  /** Hosts besides loopback whose names Chromium may resolve. */
  reachableHosts: readonly string[]
  /** Whether tests run as if the desktop had a dark theme. */
  darkDesktop: boolean
  trace: boolean
}

const WALLETCONNECT_RELAY = 'relay.walletconnect.org'
const DEBIAN_CHROMIUM = '/usr/lib/chromium/chromium'

export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const hasDisplay = Boolean(env.DISPLAY || env.WAYLAND_DISPLAY)
  return {
    // On Debian, /usr/bin/chromium is a shell script that adds flags for desktop users. So Chromium’s own program is started directly.
    chromium: env.SVC_DESK_HOST_CHROMIUM ?? (existsSync(DEBIAN_CHROMIUM) ? DEBIAN_CHROMIUM : '/usr/bin/chromium'),
    headed: env.SVC_DESK_HEADED === undefined ? hasDisplay : env.SVC_DESK_HEADED === '1',
    reachableHosts: env.SVC_DESK_HOST_OFFLINE === '1' ? [] : [WALLETCONNECT_RELAY],
    darkDesktop: env.SVC_DESK_HOST_DARK === '1',
    trace: env.SVC_DESK_HOST_TRACE === '1',
  }
}
