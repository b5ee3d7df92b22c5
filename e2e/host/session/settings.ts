import { existsSync } from 'node:fs'

/** Settings of this replacement for Electron, read from environment variables. Everything else is set by Electron’s own command line. */
export interface Settings {
  chromium: string
  /** Whether Chromium shows real windows on the display; otherwise it runs headless. */
  headed: boolean
  /** Hosts that Chromium may resolve besides loopback. */
  reachableHosts: readonly string[]
  /** Whether the desktop is assumed to have a dark theme; Chromium is not asked. */
  darkDesktop: boolean
  trace: boolean
}

const WALLETCONNECT_RELAY = 'relay.walletconnect.org'
const DEBIAN_CHROMIUM = '/usr/lib/chromium/chromium'

export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const hasDisplay = Boolean(env.DISPLAY || env.WAYLAND_DISPLAY)
  return {
    // /usr/bin/chromium is a shell script that starts this binary with flags for a desktop user.
    chromium: env.SVC_DESK_HOST_CHROMIUM ?? (existsSync(DEBIAN_CHROMIUM) ? DEBIAN_CHROMIUM : '/usr/bin/chromium'),
    headed: env.SVC_DESK_HEADED === undefined ? hasDisplay : env.SVC_DESK_HEADED === '1',
    reachableHosts: env.SVC_DESK_HOST_OFFLINE === '1' ? [] : [WALLETCONNECT_RELAY],
    darkDesktop: env.SVC_DESK_HOST_DARK === '1',
    trace: env.SVC_DESK_HOST_TRACE === '1',
  }
}
