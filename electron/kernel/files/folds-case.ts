/** Where the file system does not tell cases apart, git's rules do not either. */
export const foldsCase = (platform: NodeJS.Platform): boolean => platform === 'win32' || platform === 'darwin'
