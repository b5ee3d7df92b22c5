import type { CdpSession } from '../windows/cdp.ts'
import type { Protocol } from '../windows/devtools-protocol.ts'

type Descriptor = Protocol.Browser.PermissionDescriptor

/** Maps Electron’s permission names (keys) to Chromium’s names (values). */
const DESCRIPTORS: Readonly<Record<string, readonly Descriptor[]>> = {
  notifications: [{ name: 'notifications' }],
  geolocation: [{ name: 'geolocation' }],
  media: [{ name: 'camera' }, { name: 'microphone' }],
  'display-capture': [{ name: 'display-capture' }],
  'clipboard-read': [{ name: 'clipboard-read' }],
  'clipboard-sanitized-write': [{ name: 'clipboard-write' }],
  midi: [{ name: 'midi' }],
  midiSysex: [{ name: 'midi', sysex: true }],
  'idle-detection': [{ name: 'idle-detection' }],
  'persistent-storage': [{ name: 'persistent-storage' }],
  'storage-access': [{ name: 'storage-access' }],
  'window-management': [{ name: 'window-management' }],
}

/** Denies all permissions to every page from the start. Chromium itself enforces this in every frame, JavaScript world and worker. */
export async function denyAll(root: CdpSession, browserContextId: string | undefined): Promise<void> {
  const descriptors = Object.values(DESCRIPTORS).flat()
  await Promise.all(descriptors.map((permission) => root.send('Browser.setPermission', { permission, setting: 'denied', ...inContext(browserContextId) })))
}

export async function grant(root: CdpSession, browserContextId: string | undefined, permission: string, origin: string): Promise<void> {
  const descriptors = DESCRIPTORS[permission] ?? []
  await Promise.all(
    descriptors.map((descriptor) => root.send('Browser.setPermission', { permission: descriptor, setting: 'granted', origin, ...inContext(browserContextId) })),
  )
}

const inContext = (browserContextId: string | undefined) => (browserContextId === undefined ? {} : { browserContextId })
