; electron-builder includes this file in its installer for Windows. It puts the folder of svc-desk on the user's PATH, and takes it off when the user
; uninstalls the app. Everything else in the PATH stays as it is.
!include "LogicLib.nsh"
!include "WinMessages.nsh"
!include "WordFunc.nsh"

!macro userPath REPLACE TAIL
  Push $0
  Push $1
  Push $2
  ClearErrors
  ReadRegStr $0 HKCU "Environment" "Path"
  ${If} ${Errors}
    ; Either there is no PATH, or it is longer than NSIS can read. A PATH that NSIS cannot read stays as it is.
    StrCpy $0 ""
    System::Call 'shlwapi::SHGetValue(p 0x80000001, t "Environment", t "Path", p 0, p 0, p 0) i.r1'
  ${Else}
    StrCpy $1 "2"
  ${EndIf}
  StrLen $2 "$0;$INSTDIR\bin"
  ${If} $1 != "0"
  ${AndIf} $2 < ${NSIS_MAX_STRLEN}
    ; Between semicolons, the folder cannot match a part of another folder.
    ${${REPLACE}} ";$0;" ";$INSTDIR\bin;" ";" "+" $0
    StrCpy $0 $0 "" 1
    ${If} $0 != ""
      StrCpy $0 $0 -1
    ${EndIf}
    ${If} "${TAIL}" != ""
    ${AndIf} $0 != ""
      StrCpy $0 "$0;${TAIL}"
    ${ElseIf} "${TAIL}" != ""
      StrCpy $0 "${TAIL}"
    ${EndIf}
    WriteRegExpandStr HKCU "Environment" "Path" "$0"
    SendMessage ${HWND_BROADCAST} ${WM_SETTINGCHANGE} 0 "STR:Environment" /TIMEOUT=5000
  ${EndIf}
  Pop $2
  Pop $1
  Pop $0
!macroend

!macro customInstall
  !insertmacro userPath "WordReplace" "$INSTDIR\bin"
!macroend

!macro customUnInstall
  ; An update runs the uninstaller of the old version first. The new version then finds its folder on the PATH.
  ${IfNot} ${isUpdated}
    !insertmacro userPath "un.WordReplace" ""
  ${EndIf}
!macroend
