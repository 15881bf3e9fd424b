// What the pages can do beyond reading: search, light or dark, the menu on a phone, copying commands. Without it all of the text is there.
"use strict"
{
	const root = document.currentScript.dataset.root
	const $ = id => document.getElementById(id)
	document.documentElement.classList.add("script")
	for (const element of [$("menu-button"), $("theme"), document.querySelector(".search")]) element.hidden = false

	// Light or dark: the system's, until one is chosen. Pictures follow.
	const system = matchMedia("(prefers-color-scheme: dark)")
	const dark = () => (document.documentElement.dataset.theme || (system.matches ? "dark" : "light")) === "dark"
	const pictures = () => {
		for (const source of document.querySelectorAll("picture source")) source.media = dark() ? "all" : "not all"
	}
	pictures()
	system.addEventListener("change", pictures)
	$("theme").addEventListener("click", () => {
		const chosen = dark() ? "light" : "dark"
		document.documentElement.dataset.theme = chosen
		try { localStorage.setItem("theme", chosen) } catch { }
		pictures()
	})

	// The menu, where it has no room beside the text.
	const wide = matchMedia("(min-width: 50.01rem)")
	const menu = open => {
		$("menu").classList.toggle("open", open)
		$("menu-button").setAttribute("aria-expanded", open)
		document.body.style.overflow = open ? "hidden" : ""
	}
	const button = () => {
		$("menu-button").hidden = wide.matches
		menu(false)
	}
	button()
	wide.addEventListener("change", button)
	$("menu-button").addEventListener("click", () => menu(!$("menu").classList.contains("open")))
	document.querySelector("#menu [aria-current]")?.scrollIntoView({ block: "nearest" })

	// Commands are copied.
	for (const block of navigator.clipboard ? document.querySelectorAll("pre:has(> [class^=language])") : []) {
		const copy = document.createElement("button")
		copy.textContent = "Copy"
		copy.addEventListener("click", async () => {
			await navigator.clipboard.writeText(block.innerText)
			copy.textContent = "Copied"
			setTimeout(() => copy.textContent = "Copy", 1500)
		})
		const around = document.createElement("div")
		around.className = "copied"
		block.replaceWith(around)
		around.append(block, copy)
	}

	// Where the reader is, in the list at the side.
	const links = new Map([...document.querySelectorAll("aside a")].map(link => [decodeURIComponent(link.hash.slice(1)), link]))
	const headings = [...document.querySelectorAll("main h2, main h3")].filter(heading => links.has(heading.id))
	const here = () => {
		const above = headings.filter(heading => heading.getBoundingClientRect().top < 120).pop()
		for (const [id, link] of links) link.classList.toggle("here", id === above?.id)
	}
	addEventListener("scroll", here, { passive: true })
	here()

	// The search. What it looks through is loaded with the first key.
	const input = $("search"), results = $("results")
	let loading, selected = -1
	const load = () => loading ??= new Promise((done, failed) => {
		const script = document.createElement("script")
		script.src = root + "search.js"
		script.onload = () => done(window.workbenchPages.map(part => ({ ...part, title: fold(part.h), page: fold(part.p), text: fold(part.t) })))
		script.onerror = failed
		document.head.append(script)
	})
	const fold = text => text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "")
	const score = (part, words) => {
		let all = 0
		for (const word of words) {
			const one = part.title.startsWith(word) ? 40 : part.title.includes(word) ? 25 : part.page.includes(word) ? 12 : part.text.includes(word) ? 4 : 0
			if (!one) return 0
			all += one
		}
		return part.u.includes("adr/") ? all / 8 : all // decisions are for few, so they come last
	}
	const marked = (text, words) => {
		const span = document.createElement("span"), low = text.toLowerCase()
		const at = Math.min(...words.map(word => low.indexOf(word)).filter(at => at >= 0))
		const from = Number.isFinite(at) ? Math.max(0, at - 24) : 0
		const word = words.find(word => low.startsWith(word, at)) ?? ""
		const mark = document.createElement("mark")
		mark.textContent = text.slice(at, at + word.length)
		if (word) span.append((from ? "…" : "") + text.slice(from, at), mark, text.slice(at + word.length, at + 160))
		else span.append(text.slice(0, 160))
		return span
	}
	const select = number => {
		const items = results.querySelectorAll("[role=option]")
		if (!items.length) return
		selected = (number + items.length) % items.length
		items.forEach((item, at) => item.setAttribute("aria-selected", at === selected))
		input.setAttribute("aria-activedescendant", items[selected].id)
		items[selected].scrollIntoView({ block: "nearest" })
	}
	const show = open => {
		results.hidden = !open
		input.setAttribute("aria-expanded", open)
	}
	const search = async () => {
		const words = fold(input.value).split(/\s+/).filter(Boolean)
		if (!words.length) return show(false)
		const parts = await load()
		if (fold(input.value).split(/\s+/).filter(Boolean).join(" ") !== words.join(" ")) return
		const found = parts.map(part => [score(part, words), part]).filter(([points]) => points).sort(([a], [b]) => b - a).slice(0, 20)
		results.replaceChildren(...found.map(([, part], at) => {
			const item = document.createElement("li"), link = document.createElement("a"), title = document.createElement("b")
			item.id = "found" + at
			item.setAttribute("role", "option")
			link.href = root + part.u
			link.tabIndex = -1
			title.textContent = part.h === part.p ? part.h : part.p + " › " + part.h
			link.append(title, marked(part.t, words))
			item.append(link)
			return item
		}))
		if (!found.length) {
			const none = document.createElement("li")
			none.className = "none"
			none.textContent = "Nothing was found for “" + input.value + "”."
			results.append(none)
		}
		show(true)
		select(0)
	}
	input.addEventListener("input", search)
	input.addEventListener("focus", search)
	input.addEventListener("keydown", event => {
		if (event.key === "ArrowDown" || event.key === "ArrowUp") {
			event.preventDefault()
			select(selected + (event.key === "ArrowDown" ? 1 : -1))
		} else if (event.key === "Enter") results.querySelector("[aria-selected=true] a")?.click()
		else if (event.key === "Escape") show(false)
	})
	results.addEventListener("click", () => show(false))
	document.addEventListener("click", event => event.target.closest(".search") || show(false))
	document.addEventListener("keydown", event => {
		if (event.key === "Escape") menu(false)
		if (event.key !== "/" || event.target.closest("input, textarea") || event.ctrlKey || event.metaKey) return
		event.preventDefault()
		input.focus()
	})
}
