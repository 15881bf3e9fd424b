; The installer for Windows, for the user alone. packaging/windows/installer gives VERSION, VERSION_NUMBERS, FOLDER, in which all that is
; installed lies, PICTURES, OUT, and SIGN when there is a command that signs. docs/adr/093-an-installer-for-windows.md says why it is as it is.
;
; It ends with 0 when Workbench is installed, with 1 when the user has cancelled, and with 2 when nothing was changed.
Unicode true
Target amd64-unicode
!ifdef QUICK
SetCompress off
!else
SetCompressor /SOLID lzma
SetCompressorDictSize 64 ; in MB: two of the programs are the same but for a few bytes, and the second one is then nothing
!endif
!include MUI2.nsh
!include LogicLib.nsh
!include FileFunc.nsh
!include WinMessages.nsh

!define ID "io.github.workbench_mcp.WorkbenchDesktop"
!define PUBLISHER "The Workbench Desktop authors"
!define WEBSITE "https://github.com/workbench-mcp/workbench-desktop"
!define WINDOW "workbench-desktop.exe"
!define ENGINE "workbench-engine.exe"
!define CONSOLE "workbench.exe"
!define UNINSTALLER "Uninstall.exe"
; Keys of the registry, below HKEY_CURRENT_USER.
!define ENTRY "Software\Microsoft\Windows\CurrentVersion\Uninstall\${ID}"
!define RUN "Software\Microsoft\Windows\CurrentVersion\Run"
!define APPROVED "Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run"
!define LINKS "Software\Classes\workbench"
!define JSON "Software\Classes\SystemFileAssociations\.json"

; EachFile inserts a macro for each file that is installed, but for the uninstaller, which is made at the end.
!macro EachFile MACRO
	!insertmacro ${MACRO} "${WINDOW}"
	!insertmacro ${MACRO} "${ENGINE}"
	!insertmacro ${MACRO} "${CONSOLE}"
	!insertmacro ${MACRO} "workbench-desktop.cdx.json"
	!insertmacro ${MACRO} "LICENSE"
	!insertmacro ${MACRO} "licences.md"
	!insertmacro ${MACRO} "CHANGELOG.md"
!macroend

Name "Workbench"
OutFile "${OUT}"
RequestExecutionLevel user
InstallDir "$LOCALAPPDATA\Programs\Workbench"
InstallDirRegKey HKCU "${ENTRY}" "InstallLocation"
BrandingText "Workbench ${VERSION}"
ManifestDPIAware true
!ifdef SIGN
!uninstfinalize '${SIGN} "%1"'
!endif
VIProductVersion "${VERSION_NUMBERS}"
VIAddVersionKey "ProductName" "Workbench"
VIAddVersionKey "ProductVersion" "${VERSION}"
VIAddVersionKey "FileVersion" "${VERSION}"
VIAddVersionKey "FileDescription" "Workbench Setup"
VIAddVersionKey "CompanyName" "${PUBLISHER}"
VIAddVersionKey "LegalCopyright" "MIT licence"

!define MUI_ICON "${PICTURES}/workbench.ico"
!define MUI_UNICON "${PICTURES}/workbench.ico"
!define MUI_PAGE_CUSTOMFUNCTION_PRE SkipOnUpdate
!define MUI_PAGE_CUSTOMFUNCTION_LEAVE CheckFolder
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!define MUI_WELCOMEFINISHPAGE_BITMAP "${PICTURES}/finish.bmp"
!define MUI_FINISHPAGE_RUN "$INSTDIR\${WINDOW}"
!insertmacro MUI_PAGE_FINISH
!define MUI_UNCONFIRMPAGE_TEXT_TOP "$(Keeps)"
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES

; Windows chooses among them. The first one is for all other languages.
!insertmacro MUI_LANGUAGE "English"
!insertmacro MUI_LANGUAGE "German"
!insertmacro MUI_LANGUAGE "French"
!insertmacro MUI_LANGUAGE "Spanish"
!insertmacro MUI_LANGUAGE "PortugueseBR"
!insertmacro MUI_LANGUAGE "SimpChinese"
!insertmacro MUI_LANGUAGE "Japanese"
!include "texts.nsh"

Var Before  ; the folder in which Workbench is installed already; empty when it is not
Var Running ; "yes" when a program of the version before still runs

Function .onInit
	ReadRegStr $Before HKCU "${ENTRY}" "InstallLocation"
	${IfNot} ${FileExists} "$Before\${UNINSTALLER}"
		StrCpy $Before ""
	${EndIf}
FunctionEnd

Function SkipOnUpdate
	${If} $Before != ""
	${AndIf} $Before == $INSTDIR
		Abort
	${EndIf}
FunctionEnd

; CheckFolder refuses a folder in which other files are, and another one than that of an installed Workbench: AI apps know its place.
Function CheckFolder
	${If} $Before != ""
		${If} $Before == $INSTDIR
			Return
		${EndIf}
		MessageBox MB_OK|MB_ICONSTOP "$(Elsewhere)" /SD IDOK
		SetErrorLevel 2
		Abort
	${EndIf}
	FindFirst $0 $1 "$INSTDIR\*"
	${DoWhile} $1 != ""
		StrCpy $2 "foreign"
		!macro Ours FILE
			${If} $1 == "${FILE}"
				StrCpy $2 ""
			${EndIf}
		!macroend
		!insertmacro EachFile Ours
		!insertmacro Ours "."
		!insertmacro Ours ".."
		!insertmacro Ours "${UNINSTALLER}"
		${If} $2 != ""
			FindClose $0
			MessageBox MB_OK|MB_ICONSTOP "$(OtherFiles)" /SD IDOK
			SetErrorLevel 2
			Abort
		${EndIf}
		FindNext $0 $1
	${Loop}
	FindClose $0
FunctionEnd

; What a program is called while it runs and another one takes its place. Windows lets it be renamed, but not be deleted.
!macro DeleteOld FILE
	Delete "$INSTDIR\${FILE}.old*"
!macroend

; Replace puts a new file in the place of one that may be running.
!macro Replace FILE
	${If} ${FileExists} "$INSTDIR\${FILE}"
		StrCpy $0 0
		${Do}
			IntOp $0 $0 + 1
		${LoopWhile} ${FileExists} "$INSTDIR\${FILE}.old$0"
		ClearErrors
		Rename "$INSTDIR\${FILE}" "$INSTDIR\${FILE}.old$0"
		${If} ${Errors}
			Call NotWritten
		${EndIf}
		Rename "$INSTDIR\new\${FILE}" "$INSTDIR\${FILE}"
		${If} ${Errors}
			Rename "$INSTDIR\${FILE}.old$0" "$INSTDIR\${FILE}"
			Call NotWritten
		${EndIf}
		Delete "$INSTDIR\${FILE}.old$0"
		${If} ${FileExists} "$INSTDIR\${FILE}.old$0"
			StrCpy $Running "yes"
		${EndIf}
	${Else}
		ClearErrors
		Rename "$INSTDIR\new\${FILE}" "$INSTDIR\${FILE}"
		${If} ${Errors}
			Call NotWritten
		${EndIf}
	${EndIf}
!macroend

!macro Extract FILE
	File "${FOLDER}/${FILE}"
!macroend

; DeleteNew takes away what was unpacked and did not come to its place.
Function DeleteNew
	SetOutPath "$TEMP"
	!macro DeleteOneNew FILE
		Delete "$INSTDIR\new\${FILE}"
	!macroend
	!insertmacro EachFile DeleteOneNew
	!insertmacro DeleteOneNew "${UNINSTALLER}"
	RMDir "$INSTDIR\new"
	RMDir "$INSTDIR" ; which leaves it when there is something in it
FunctionEnd

Function NotWritten
	Call DeleteNew
	MessageBox MB_OK|MB_ICONSTOP "$(NotWrittenText)" /SD IDOK
	SetErrorLevel 2
	Abort
FunctionEnd

Function .onInstFailed
	Call DeleteNew
FunctionEnd

; UserPath changes the user's PATH and tells the other programs. The program does it, since NSIS would cut a long one short.
!macro UserPath HOW
	nsExec::ExecToLog '"$INSTDIR\${CONSOLE}" user-path ${HOW}'
	Pop $0
	SendMessage ${HWND_BROADCAST} ${WM_SETTINGCHANGE} 0 "STR:Environment" /TIMEOUT=2000
!macroend

Section
	Call CheckFolder
	SetErrorLevel -1 ; by itself, even when another folder was refused before
	; All of it is unpacked beside the version before, so that a full disk leaves that as it is.
	ClearErrors
	SetOverwrite try
	SetOutPath "$INSTDIR\new"
	!insertmacro EachFile Extract
	WriteUninstaller "$INSTDIR\new\${UNINSTALLER}"
	${If} ${Errors}
		Call NotWritten
	${EndIf}
	!insertmacro EachFile DeleteOld
	!insertmacro EachFile Replace
	!insertmacro Replace "${UNINSTALLER}"
	Call DeleteNew

	; Who opens our links, as engine/manage/apps/links writes it. What the user has switched off since, and another program that has them, stay.
	ReadRegStr $0 HKCU "${LINKS}\shell\open\command" ""
	StrCpy $1 '\${WINDOW}" -- "%1"'
	StrLen $2 $1
	StrCpy $2 $0 "" -$2
	${If} $0 == ""
	${AndIf} $Before == ""
	${OrIf} $2 == $1
		WriteRegStr HKCU "${LINKS}" "" "URL:Workbench"
		WriteRegStr HKCU "${LINKS}" "URL Protocol" ""
		WriteRegStr HKCU "${LINKS}\shell\open\command" "" '"$INSTDIR\${WINDOW}" -- "%1"'
	${EndIf}
	; Windows looks at what follows the last dot alone, and all of .json is not ours. So shared toolboxes get an entry in the menu of files.
	WriteRegStr HKCU "${JSON}\shell\${ID}" "" "$(OpenIn)"
	WriteRegStr HKCU "${JSON}\shell\${ID}" "Icon" "$INSTDIR\${WINDOW}"
	WriteRegStr HKCU "${JSON}\shell\${ID}" "AppliesTo" 'System.FileName:~>".toolbox.json"'
	WriteRegStr HKCU "${JSON}\shell\${ID}\command" "" '"$INSTDIR\${WINDOW}" -- "%1"'
	System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)'

	; Who types "workbench" at a terminal finds it. What the user has taken out of PATH since stays out.
	ReadRegDWORD $0 HKCU "${ENTRY}" "OnPath"
	${If} $0 != 1
		!insertmacro UserPath add
		WriteRegDWORD HKCU "${ENTRY}" "OnPath" 1
	${EndIf}

	SetOutPath "$PROFILE" ; where the program is when it is started from the Start menu, or by the last page
	CreateShortcut "$SMPROGRAMS\Workbench.lnk" "$INSTDIR\${WINDOW}"
	WriteRegStr HKCU "${ENTRY}" "DisplayName" "Workbench"
	WriteRegStr HKCU "${ENTRY}" "DisplayVersion" "${VERSION}"
	WriteRegStr HKCU "${ENTRY}" "DisplayIcon" "$INSTDIR\${WINDOW}"
	WriteRegStr HKCU "${ENTRY}" "Publisher" "${PUBLISHER}"
	WriteRegStr HKCU "${ENTRY}" "URLInfoAbout" "${WEBSITE}"
	WriteRegStr HKCU "${ENTRY}" "InstallLocation" "$INSTDIR"
	WriteRegStr HKCU "${ENTRY}" "UninstallString" '"$INSTDIR\${UNINSTALLER}"'
	WriteRegStr HKCU "${ENTRY}" "QuietUninstallString" '"$INSTDIR\${UNINSTALLER}" /S'
	WriteRegDWORD HKCU "${ENTRY}" "NoModify" 1
	WriteRegDWORD HKCU "${ENTRY}" "NoRepair" 1
	SectionGetSize 0 $0
	WriteRegDWORD HKCU "${ENTRY}" "EstimatedSize" $0

	${If} $Running != ""
		MessageBox MB_OK|MB_ICONINFORMATION "$(GoesOn)" /SD IDOK
	${EndIf}
SectionEnd

; un.onInit refuses while a program runs: it would stay behind, and AI apps would be without their tools in the middle of their work.
Function un.onInit
	${Do}
		StrCpy $Running ""
		!macro LooksFree FILE
			Delete "$INSTDIR\${FILE}.old*"
			${If} ${FileExists} "$INSTDIR\${FILE}.old*"
				StrCpy $Running "yes"
			${EndIf}
			${If} ${FileExists} "$INSTDIR\${FILE}"
				ClearErrors
				FileOpen $0 "$INSTDIR\${FILE}" a
				${If} ${Errors}
					StrCpy $Running "yes"
				${Else}
					FileClose $0
				${EndIf}
			${EndIf}
		!macroend
		!insertmacro LooksFree "${WINDOW}"
		!insertmacro LooksFree "${ENGINE}"
		!insertmacro LooksFree "${CONSOLE}"
		${If} $Running == ""
			Return
		${EndIf}
		MessageBox MB_RETRYCANCEL|MB_ICONEXCLAMATION "$(Runs)" /SD IDCANCEL IDRETRY again
		SetErrorLevel 2
		Quit
		again:
	${Loop}
FunctionEnd

Section "Uninstall"
	SetOutPath "$TEMP"
	; AI apps would look for it in vain. Toolboxes and settings stay.
	MessageBox MB_YESNO|MB_ICONQUESTION "$(Leave)" /SD IDYES IDNO stay
	nsExec::ExecToLog '"$INSTDIR\${CONSOLE}" uninstall --yes'
	Pop $0
	${If} $0 != 0
		MessageBox MB_OK|MB_ICONEXCLAMATION "$(Left)" /SD IDOK
	${EndIf}
	stay:
	!insertmacro UserPath remove
	!macro DeleteFile FILE
		Delete "$INSTDIR\${FILE}"
		Delete "$INSTDIR\${FILE}.old*"
	!macroend
	!insertmacro EachFile DeleteFile
	!insertmacro DeleteFile "${UNINSTALLER}"
	RMDir "$INSTDIR" ; which leaves it when there is something else in it

	; Nothing in the registry is ours when another folder has the installed one.
	ReadRegStr $0 HKCU "${ENTRY}" "InstallLocation"
	${If} $0 != $INSTDIR
		Return
	${EndIf}
	ReadRegStr $0 HKCU "${LINKS}\shell\open\command" ""
	${If} $0 == '"$INSTDIR\${WINDOW}" -- "%1"'
		DeleteRegKey HKCU "${LINKS}\shell\open\command"
		DeleteRegKey /ifnosubkeys HKCU "${LINKS}\shell\open"
		DeleteRegKey /ifnosubkeys HKCU "${LINKS}\shell"
		DeleteRegKey /ifnosubkeys HKCU "${LINKS}"
	${EndIf}
	DeleteRegKey HKCU "${JSON}\shell\${ID}"
	DeleteRegKey /ifempty HKCU "${JSON}\shell"
	DeleteRegKey /ifempty HKCU "${JSON}"
	; The program starts at login no more.
	ReadRegStr $0 HKCU "${RUN}" "Workbench"
	${If} $0 == '"$INSTDIR\${WINDOW}" --hidden'
		DeleteRegValue HKCU "${RUN}" "Workbench"
		DeleteRegValue HKCU "${APPROVED}" "Workbench"
	${EndIf}
	System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)'
	Delete "$SMPROGRAMS\Workbench.lnk"
	DeleteRegKey HKCU "${ENTRY}"
SectionEnd
