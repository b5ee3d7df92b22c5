import type { Session } from 'electron'

/** Nothing that Chromium asks for is ever granted: no camera, no notifications, no clipboard. Devices need the check, too. */
export function denyPermissions(session: Pick<Session, 'setPermissionRequestHandler' | 'setPermissionCheckHandler'>): void {
  session.setPermissionRequestHandler((_contents, _permission, decide) => decide(false))
  session.setPermissionCheckHandler(() => false)
}
