import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Target } from '../../config/release.ts'
import { withoutSignature } from './svc-desk-program.ts'

/** The byte sequence that marks the position of the fuses in Electron’s program. */
const sentinel = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'
/** The default fuses of Electron 45: version 1, nine switches, in the order of `FuseV1Options`. */
const wire = Buffer.concat([Buffer.from(sentinel), Buffer.from([1, 9]), Buffer.from('101100011')])

/**
 * The shell script that starts the stand-in for Electron with the package in which the script lies. `SVC_DESK_STAND_IN` names the stand-in’s folder,
 * because a package must not depend on where it was made.
 */
const launcher = `#!/bin/sh
# A stand-in for Electron: runs the packaged app on Chromium, for tests.
here=$(CDPATH= cd -- "$(dirname -- "$(readlink -f -- "$0")")" && pwd)
SVC_DESK_PACKAGED=$here exec "\${SVC_DESK_STAND_IN:?is the folder e2e/host of the source, since this package has no Electron}/electron" "$@"
exit 1
`

const plist = (name: string, id: string): string => `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0"><dict>
<key>CFBundleExecutable</key><string>${name}</string>
<key>CFBundleIdentifier</key><string>${id}</string>
<key>CFBundleName</key><string>${name}</string>
<key>CFBundlePackageType</key><string>APPL</string>
<key>NSMicrophoneUsageDescription</key><string>x</string>
<key>NSCameraUsageDescription</key><string>x</string>
</dict></plist>
`

/**
 * Makes a folder that looks like Electron’s own files to the packager, for computers without Electron. Linux: its program runs the project’s
 * replacement for Electron. Windows: its program is `program`. macOS: it contains only empty bundles. Every folder contains fuses, so that checks can
 * read which fuses the packager set.
 */
export function makeStandInDist(
  folder: string,
  { platform, version, program }: { platform: Target['platform']; version: string; program: string | null },
): void {
  rmSync(folder, { recursive: true, force: true })
  const put = (path: string, content: string | Buffer, mode = 0o644): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content, { mode })
  }
  put('LICENSE', 'Electron\n')
  put('LICENSES.chromium.html', '<html>\n')
  put('version', `${version}\n`)
  if (platform === 'linux') {
    put('electron', launcher, 0o755)
    appendFileSync(join(folder, 'electron'), wire)
    put('chrome-sandbox', '#!/bin/sh\n', 0o755)
    put('locales/en-US.pak', 'x')
    put('resources/.keep', '')
  } else if (platform === 'win32') {
    if (program === null) throw new Error('a package for Windows needs a program to carry the fuses')
    put('electron.exe', withWire(readFileSync(program)))
    put('locales/en-US.pak', 'x')
    put('resources/.keep', '')
  } else {
    const base = 'Electron.app/Contents'
    put(`${base}/Info.plist`, plist('Electron', 'com.github.Electron'))
    put(`${base}/MacOS/Electron`, '#!/bin/sh\n', 0o755)
    put(`${base}/Resources/electron.icns`, 'icns')
    put(`${base}/Frameworks/Electron Framework.framework/Versions/A/Resources/en.lproj/locale.pak`, 'x')
    put(`${base}/Frameworks/Electron Framework.framework/Electron Framework`, wire)
    for (const kind of ['', ' (Renderer)', ' (Plugin)', ' (GPU)']) {
      const name = `Electron Helper${kind}`
      put(`${base}/Frameworks/${name}.app/Contents/Info.plist`, plist(name, 'com.github.Electron.helper'))
      put(`${base}/Frameworks/${name}.app/Contents/MacOS/${name}`, '#!/bin/sh\n', 0o755)
    }
  }
}

/** Returns a Windows program without its signature, and with Electron’s fuses added in unused space at the end of its read-only data. */
function withWire(program: Buffer): Buffer {
  const plain = withoutSignature(program)
  const header = plain.readUInt32LE(0x3c)
  const optional = header + 24
  const sections = optional + plain.readUInt16LE(header + 20)
  for (let index = 0; index < plain.readUInt16LE(header + 6); index++) {
    const section = sections + index * 40
    const virtualSize = plain.readUInt32LE(section + 8)
    const rawSize = plain.readUInt32LE(section + 16)
    if (plain.toString('latin1', section, section + 6) === '.rdata' && rawSize - virtualSize > wire.length)
      wire.copy(plain, plain.readUInt32LE(section + 20) + virtualSize)
  }
  if (!plain.includes(wire)) throw new Error('the program has no room for fuses')
  return plain
}
