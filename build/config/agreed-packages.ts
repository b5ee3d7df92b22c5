import type { Agreed } from '../scripts/supply/lock-problems.ts'

const platforms = (scope: string, names: string): string[] => names.split(' ').map((name) => `${scope}${name}`)

/** Exceptions to the rules that every dependency must meet. Each new entry is a deliberate decision. */
export const agreed: Agreed = {
  // Packages that have an install script, each with the reason why it need not run. Npm runs no install scripts here (`ignore-scripts` in .npmrc).
  installScripts: {
    'node_modules/@swc/core': 'only looks for its own binary',
    'node_modules/electron-winstaller': 'makes installers of a kind that is not used here',
    'node_modules/keytar': 'built from source by build/scripts/setup/keytar.mjs',
  },
  // Optional packages whose entry in the lock file has no checksum, because the registry provided none. They contain binaries for other systems,
  // which npm does not install here.
  unsealed: [
    ...platforms('@biomejs/cli-', 'android-arm64 android-x64 darwin-arm64 darwin-x64 linux-arm64-musl linux-x64-musl win32-arm64 win32-x64'),
    ...platforms(
      '@oxc-parser/binding-',
      'android-arm-eabi android-arm64 darwin-arm64 darwin-x64 freebsd-x64 linux-arm-gnueabihf linux-arm-musleabihf linux-ppc64-gnu linux-riscv64-gnu linux-riscv64-musl linux-s390x-gnu openharmony-arm64 win32-arm64-msvc win32-ia32-msvc win32-x64-msvc',
    ),
    ...platforms('@swc/core-', 'darwin-arm64 darwin-x64 linux-arm-gnueabihf linux-ppc64-gnu linux-s390x-gnu win32-arm64-msvc win32-ia32-msvc win32-x64-msvc'),
  ],
  // Licences that any package may have, whether it ships to users or is only a development tool.
  licences: ['MIT', 'Apache-2.0', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'BlueOak-1.0.0'],
  // Additional licences for development tools, which never ship to users.
  toolLicences: { 'MPL-2.0': /^(lightningcss(-|$)|axe-core$)/, 'CC-BY-4.0': /^caniuse-lite$/, 'Python-2.0': /^argparse$/, WTFPL: /^truncate-utf8-bytes$/ },
  /** Packages whose package.json names no licence. The value is the licence that their files name. */
  statedElsewhere: { memorystream: 'MIT' },
}
