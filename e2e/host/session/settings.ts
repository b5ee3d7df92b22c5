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
/** Debian’s Chromium. It is started directly, because /usr/bin/chromium is a shell script that adds flags for desktop users. */
const DEBIAN_CHROMIUM = '/usr/lib/chromium/chromium'
/** Debian’s Chromium without windows and menus of its own. It starts faster and cannot show anything on a display. */
const DEBIAN_HEADLESS = '/usr/lib/chromium/chromium-headless-shell'

export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const hasDisplay = Boolean(env.DISPLAY || env.WAYLAND_DISPLAY)
  const headed = env.SVC_DESK_HEADED === undefined ? hasDisplay : env.SVC_DESK_HEADED === '1'
  const programs = headed ? [DEBIAN_CHROMIUM] : [DEBIAN_HEADLESS, DEBIAN_CHROMIUM]
  return {
    chromium: env.SVC_DESK_HOST_CHROMIUM ?? programs.find((program) => existsSync(program)) ?? '/usr/bin/chromium',
    headed,
    reachableHosts: env.SVC_DESK_HOST_OFFLINE === '1' ? [] : [WALLETCONNECT_RELAY],
    darkDesktop: env.SVC_DESK_HOST_DARK === '1',
    trace: env.SVC_DESK_HOST_TRACE === '1',
  }
}
