import { join } from 'node:path'

/** The folder under which the app keeps its data, as Electron names it after the product. */
export function dataFolder(platform: NodeJS.Platform, env: NodeJS.ProcessEnv, home: string): string {
  const name = 'Svc Desk'
  if (platform === 'darwin') return join(home, 'Library/Application Support', name)
  if (platform === 'win32') return join(env.APPDATA ?? join(home, 'AppData/Roaming'), name)
  return join(env.XDG_CONFIG_HOME || join(home, '.config'), name)
}
