import type { Agreed } from '../scripts/supply/lock-problems.ts'

const platforms = (scope: string, names: string): string[] => names.split(' ').map((name) => `${scope}${name}`)

/** What the project takes from others, beyond what every package must keep. Each new name here is a decision. */
export const agreed: Agreed = {
  // None runs by itself (`ignore-scripts` in .npmrc): npm ci builds nothing.
  installScripts: {
    'node_modules/@swc/core': 'only looks for its own binary',
    'node_modules/keytar': 'built from source by build/scripts/setup/keytar.mjs',
  },
  // Binaries for other systems, for which the registry that wrote the lock file gave no checksum. npm takes none of them here.
  unsealed: [
    ...platforms('@biomejs/cli-', 'android-arm64 android-x64 darwin-arm64 darwin-x64 linux-arm64-musl linux-x64-musl win32-arm64 win32-x64'),
    ...platforms(
      '@oxc-parser/binding-',
      'android-arm-eabi android-arm64 darwin-arm64 darwin-x64 freebsd-x64 linux-arm-gnueabihf linux-arm-musleabihf linux-ppc64-gnu linux-riscv64-gnu linux-riscv64-musl linux-s390x-gnu openharmony-arm64 win32-arm64-msvc win32-ia32-msvc win32-x64-msvc',
    ),
    ...platforms('@swc/core-', 'darwin-arm64 darwin-x64 linux-arm-gnueabihf linux-ppc64-gnu linux-s390x-gnu win32-arm64-msvc win32-ia32-msvc win32-x64-msvc'),
  ],
  // Of what users get, and of tools alike.
  licences: ['MIT', 'Apache-2.0', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'BlueOak-1.0.0'],
  // Of tools alone, which no user gets.
  toolLicences: { 'MPL-2.0': /^lightningcss(-|$)/, 'CC-BY-4.0': /^caniuse-lite$/ },
  /** Packages whose package.json names none, and what their files say. */
  statedElsewhere: { memorystream: 'MIT' },
}
