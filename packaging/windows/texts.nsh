; What the installer says besides the words that NSIS has for installers. $INSTDIR and $Before are folders, which it fills in.
!macro Texts LANGUAGE OPENIN OTHERFILES ELSEWHERE NOTWRITTEN GOESON RUNS KEEPS LEAVE LEFT
	LangString OpenIn ${LANGUAGE} "${OPENIN}"
	LangString OtherFiles ${LANGUAGE} "${OTHERFILES}"
	LangString Elsewhere ${LANGUAGE} "${ELSEWHERE}"
	LangString NotWrittenText ${LANGUAGE} "${NOTWRITTEN}"
	LangString GoesOn ${LANGUAGE} "${GOESON}"
	LangString Runs ${LANGUAGE} "${RUNS}"
	LangString Keeps ${LANGUAGE} "${KEEPS}"
	LangString Leave ${LANGUAGE} "${LEAVE}"
	LangString Left ${LANGUAGE} "${LEFT}"
!macroend

!insertmacro Texts ${LANG_ENGLISH} \
	"Open in Workbench" \
	"There are other files in $INSTDIR. Choose an empty folder." \
	"Workbench is installed in $Before, where your AI apps look for it. To have it elsewhere, uninstall it first." \
	"Workbench cannot be written to $INSTDIR. Perhaps the disk is full, or the folder is not yours. Make room, or choose another folder." \
	"Workbench or an AI app is running, and goes on with the version before. For the new version, quit Workbench (“Quit” in the menu of its icon next to the clock) and restart your AI apps." \
	"Workbench is running, or an AI app uses it. Quit Workbench (“Quit” in the menu of its icon next to the clock) and your AI apps, and try again." \
	"Your toolboxes and settings stay." \
	"Disconnect all AI apps and put their servers back? Otherwise they would look for Workbench in vain." \
	"Not every AI app could be disconnected. Install Workbench again and press “Disconnect all…” under “AI apps”, or remove its entry in these apps by hand."

!insertmacro Texts ${LANG_GERMAN} \
	"In Workbench öffnen" \
	"In $INSTDIR liegen andere Dateien. Wählen Sie einen leeren Ordner." \
	"Workbench ist in $Before installiert, wo Ihre KI-Apps es suchen. Deinstallieren Sie es zuerst, wenn es an einen anderen Ort soll." \
	"Workbench lässt sich nicht in $INSTDIR schreiben. Vielleicht ist der Datenträger voll, oder der Ordner gehört jemand anderem. Schaffen Sie Platz oder wählen Sie einen anderen Ordner." \
	"Workbench oder eine KI-App läuft noch und arbeitet mit der vorigen Version weiter. Beenden Sie für die neue Version Workbench („Beenden“ im Menü des Symbols neben der Uhr) und starten Sie Ihre KI-Apps neu." \
	"Workbench läuft, oder eine KI-App nutzt es. Beenden Sie Workbench („Beenden“ im Menü des Symbols neben der Uhr) und Ihre KI-Apps, und versuchen Sie es erneut." \
	"Ihre Toolboxen und Einstellungen bleiben." \
	"Alle KI-Apps trennen und ihre Server zurücklegen? Sonst würden sie Workbench vergeblich suchen." \
	"Nicht jede KI-App ließ sich trennen. Installieren Sie Workbench noch einmal und drücken Sie unter „KI-Apps“ auf „Alle trennen …“, oder entfernen Sie den Eintrag in diesen Apps von Hand."

!insertmacro Texts ${LANG_FRENCH} \
	"Ouvrir dans Workbench" \
	"$INSTDIR contient d'autres fichiers. Choisissez un dossier vide." \
	"Workbench est installé dans $Before, où vos apps d'IA le cherchent. Pour l'avoir ailleurs, désinstallez-le d'abord." \
	"Impossible d'écrire Workbench dans $INSTDIR. Le disque est peut-être plein, ou le dossier n'est pas à vous. Faites de la place ou choisissez un autre dossier." \
	"Workbench ou une app d'IA est ouvert et continue avec la version précédente. Pour la nouvelle version, quittez Workbench (« Quitter » dans le menu de son icône près de l'horloge) et redémarrez vos apps d'IA." \
	"Workbench est ouvert, ou une app d'IA l'utilise. Quittez Workbench (« Quitter » dans le menu de son icône près de l'horloge) et vos apps d'IA, puis réessayez." \
	"Vos boîtes à outils et vos réglages restent." \
	"Déconnecter toutes les apps d'IA et y remettre leurs serveurs ? Sinon elles chercheraient Workbench en vain." \
	"Toutes les apps d'IA n'ont pas pu être déconnectées. Réinstallez Workbench et appuyez sur « Tout déconnecter… » sous « Apps d'IA », ou retirez son entrée à la main dans ces apps."

!insertmacro Texts ${LANG_SPANISH} \
	"Abrir en Workbench" \
	"Hay otros archivos en $INSTDIR. Elige una carpeta vacía." \
	"Workbench está instalado en $Before, donde lo buscan tus apps de IA. Para tenerlo en otro lugar, desinstálalo primero." \
	"No se puede escribir Workbench en $INSTDIR. Quizá el disco está lleno o la carpeta no es tuya. Libera espacio o elige otra carpeta." \
	"Workbench o una app de IA está abierto y sigue con la versión anterior. Para usar la nueva, cierra Workbench («Salir» en el menú de su icono junto al reloj) y reinicia tus apps de IA." \
	"Workbench está abierto o una app de IA lo usa. Cierra Workbench («Salir» en el menú de su icono junto al reloj) y tus apps de IA, e inténtalo de nuevo." \
	"Tus cajas de herramientas y ajustes se quedan." \
	"¿Desconectar todas las apps de IA y devolverles sus servidores? Si no, buscarían Workbench en vano." \
	"No se han podido desconectar todas las apps de IA. Instala Workbench de nuevo y pulsa «Desconectar todas…» en «Apps de IA», o quita su entrada a mano en esas apps."

!insertmacro Texts ${LANG_PORTUGUESEBR} \
	"Abrir no Workbench" \
	"Há outros arquivos em $INSTDIR. Escolha uma pasta vazia." \
	"O Workbench está instalado em $Before, onde os seus apps de IA o procuram. Para tê-lo em outro lugar, desinstale-o primeiro." \
	"Não é possível gravar o Workbench em $INSTDIR. Talvez o disco esteja cheio ou a pasta não seja sua. Libere espaço ou escolha outra pasta." \
	"O Workbench ou um app de IA está aberto e continua com a versão anterior. Para usar a nova, encerre o Workbench (“Sair” no menu do ícone ao lado do relógio) e reinicie os seus apps de IA." \
	"O Workbench está aberto ou um app de IA o usa. Encerre o Workbench (“Sair” no menu do ícone ao lado do relógio) e os seus apps de IA, e tente de novo." \
	"As suas caixas de ferramentas e configurações ficam." \
	"Desconectar todos os apps de IA e devolver os servidores deles? Senão eles procurariam o Workbench em vão." \
	"Nem todos os apps de IA puderam ser desconectados. Instale o Workbench de novo e pressione “Desconectar todos…” em “Apps de IA”, ou remova a entrada dele à mão nesses apps."

!insertmacro Texts ${LANG_SIMPCHINESE} \
	"在 Workbench 中打开" \
	"$INSTDIR 中有其他文件。请选择一个空文件夹。" \
	"Workbench 已安装在 $Before，AI 应用会在那里查找它。要换到别处，请先卸载。" \
	"无法将 Workbench 写入 $INSTDIR。磁盘可能已满，或者该文件夹不属于您。请腾出空间或选择其他文件夹。" \
	"Workbench 或某个 AI 应用正在运行，并继续使用之前的版本。要使用新版本，请退出 Workbench（时钟旁图标菜单中的“退出”），并重新启动 AI 应用。" \
	"Workbench 正在运行，或者某个 AI 应用正在使用它。请退出 Workbench（时钟旁图标菜单中的“退出”）和 AI 应用，然后重试。" \
	"您的工具箱和设置会保留。" \
	"断开所有 AI 应用并放回其服务器？否则它们会找不到 Workbench。" \
	"有的 AI 应用无法断开。请重新安装 Workbench，在“AI 应用”中按“全部断开…”，或在这些应用中手动删除其条目。"

!insertmacro Texts ${LANG_JAPANESE} \
	"Workbench で開く" \
	"$INSTDIR に他のファイルがあります。空のフォルダーを選んでください。" \
	"Workbench は $Before にインストールされていて、AI アプリはそこで探します。別の場所に置くには、先にアンインストールしてください。" \
	"Workbench を $INSTDIR に書き込めません。ディスクがいっぱいか、フォルダーに書き込む権利がありません。空きを作るか、別のフォルダーを選んでください。" \
	"Workbench か AI アプリが動いていて、前のバージョンのまま続きます。新しいバージョンを使うには、Workbench を終了し（時計の隣のアイコンのメニューの「終了」）、AI アプリを再起動してください。" \
	"Workbench が動いているか、AI アプリが使っています。Workbench（時計の隣のアイコンのメニューの「終了」）と AI アプリを終了してから、もう一度お試しください。" \
	"ツールボックスと設定は残ります。" \
	"すべての AI アプリを切断し、サーバーを元に戻しますか？そうしないと、AI アプリは Workbench を見つけられなくなります。" \
	"切断できなかった AI アプリがあります。Workbench をもう一度インストールして「AI アプリ」で「すべて切断…」を押すか、それらのアプリで項目を手動で削除してください。"
