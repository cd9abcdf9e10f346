/* Reports in a real browser: what a reader sees, on a wide screen and a phone, in light and dark, by keyboard and on paper.
 *
 * usage: report.js TARE RESULTS SCREENSHOTS      (see scripts/test-browser)
 * RESULTS is a folder with the documents of tests/cli/report_results.py. Prints TAP. */
"use strict";
const fs = require("fs"), path = require("path"), {execFileSync} = require("child_process");
const {chromium} = require("playwright-core");

const [tare, results, shots] = process.argv.slice(2);
const names = ["one", "two", "suite", "levels", "hostile", "cells", "orders", "history", "session", "fleet", "big"].filter(
	name => fs.existsSync(path.join(results, name + (name === "history" ? ".db" : ".json"))));
let count = 0, failed = 0;

function check(what, problems) {
	count++;
	problems = problems.filter(Boolean);
	failed += problems.length > 0;
	console.log((problems.length ? "not ok " : "ok ") + count + " - " + what);
	problems.slice(0, 8).forEach(problem => console.log("# " + problem));
}

function make(name) {
	const html = path.resolve(shots, name + ".html");
	const what = name === "history" ? ["--history", "--store", path.join(results, "history.db")] : [path.join(results, name + ".json")];
	execFileSync(tare, ["report", ...what, "-o", html]);
	return html;
}

/* Everything below runs inside the page. */
function looks() {
	const problems = {overlap: [], outside: [], axes: [], contrast: [], clipped: [], unnamed: []};
	const visible = element => element.getClientRects().length > 0 && getComputedStyle(element).visibility !== "hidden";
	const say = (kind, element, text) => problems[kind].push((element.textContent || "").trim().slice(0, 40) + ": " + text);

	/* Relative luminance and contrast as in WCAG 2. */
	const parse = color => (color.match(/[\d.]+/g) || []).map(Number);
	const luminance = ([r, g, b]) => [r, g, b].map(c => c / 255).map(c => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
		.reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
	function background(element) {
		for (let at = element; at; at = at.parentElement) {
			const color = parse(getComputedStyle(at).backgroundColor);
			if (color.length === 3 || color[3] > 0.99) return color;
		}
		return [255, 255, 255];
	}
	const seen = new Set();
	document.querySelectorAll("body *").forEach(element => {
		const own = Array.from(element.childNodes).some(node => node.nodeType === 3 && node.textContent.trim());
		if (!own || !visible(element) || ["SCRIPT", "STYLE", "title", "desc"].includes(element.tagName)) return;
		const style = getComputedStyle(element), svg = element instanceof SVGElement;
		const ink = parse(svg ? style.fill : style.color), paper = background(element);
		const key = ink.join() + "/" + paper.join();
		if (seen.has(key)) return;
		seen.add(key);
		const [a, b] = [luminance(ink), luminance(paper)], ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
		if (ratio < 4.5) say("contrast", element, "contrast " + ratio.toFixed(2));
	});

	/* Text that is cut off, apart from the one line that says so by an ellipsis. */
	document.querySelectorAll("h1, h2, h3, p, td, th, dd, dt, li, summary, figcaption, .chip, button, label").forEach(element => {
		if (!visible(element)) return;
		const style = getComputedStyle(element);
		if (element.scrollWidth > element.clientWidth + 1 && style.overflowX !== "auto" && style.display !== "inline" &&
		    !element.closest(".scroll"))
			say("clipped", element, "wider than its place by " + (element.scrollWidth - element.clientWidth));
	});

	document.querySelectorAll("svg.tare-plot").forEach(svg => {
		if (!visible(svg)) return;
		const frame = svg.getBoundingClientRect(), texts = Array.from(svg.querySelectorAll("text"));
		const heading = svg.querySelector("title");
		if (!heading || !heading.textContent || !svg.querySelector("desc").textContent) say("unnamed", svg, "no title or description");
		const boxes = texts.map(text => text.getBoundingClientRect());
		texts.forEach((text, i) => {
			const box = boxes[i];
			if (box.left < frame.left - 2 || box.right > frame.right + 2 || box.top < frame.top - 2 || box.bottom > frame.bottom + 2)
				say("outside", text, "text leaves the drawing of " + heading.textContent);
			for (let k = 0; k < i; k++) {
				const across = Math.min(box.right, boxes[k].right) - Math.max(box.left, boxes[k].left);
				const down = Math.min(box.bottom, boxes[k].bottom) - Math.max(box.top, boxes[k].top);
				if (across > 1 && down > 3) say("overlap", text, "lies on '" + texts[k].textContent + "' in " + heading.textContent);
			}
		});
		/* Axes, with the grid, span the panels; every mark lies inside them. */
		const lines = Array.from(svg.querySelectorAll("line.axis, line.rule")).map(line => line.getBoundingClientRect());
		if (!lines.length) return;
		const edge = {left: Math.min(...lines.map(b => b.left)), right: Math.max(...lines.map(b => b.right)),
			top: Math.min(...lines.map(b => b.top)), bottom: Math.max(...lines.map(b => b.bottom))};
		svg.querySelectorAll("circle, rect, path.dots, path.curve, path.area, path.range, path.arrow").forEach(mark => {
			const box = mark.getBoundingClientRect();
			if (box.width + box.height === 0) return;
			if (box.left < edge.left - 2 || box.right > edge.right + 2 || box.top < edge.top - 2 || box.bottom > edge.bottom + 2)
				if (!mark.closest("[data-legend]") && !mark.classList.contains("key"))
					say("axes", mark, mark.tagName + "." + mark.getAttribute("class") + " outside the axes of " + heading.textContent);
		});
	});
	problems.sideways = document.documentElement.scrollWidth > innerWidth ? ["the page is " + document.documentElement.scrollWidth + " wide"] : [];
	const h1 = document.querySelector("h1").getBoundingClientRect();
	problems.verdict = h1.top < 0 || h1.bottom > innerHeight ? ["the verdict ends at " + h1.bottom] : [];
	return problems;
}

async function look(browser, name, html, width, scheme) {
	const where = name + ", " + width + " px, " + scheme, troubles = [], requests = [];
	const page = await browser.newPage({viewport: {width, height: 800}, colorScheme: scheme});
	page.on("console", message => ["error", "warning"].includes(message.type()) && troubles.push(message.text()));
	page.on("pageerror", error => troubles.push(error.message));
	page.on("request", request => !request.url().startsWith("file://" + html) && requests.push(request.url()));
	const started = Date.now();
	await page.goto("file://" + html);
	await page.evaluate(() => document.body.getBoundingClientRect().height);
	const took = Date.now() - started;
	await page.screenshot({path: path.join(shots, [name, width, scheme, "top"].join("-") + ".png")});
	const first = await page.evaluate(looks);
	check(where + ": the verdict can be seen without scrolling", first.verdict);
	await page.evaluate(() => document.querySelectorAll("details").forEach((one, i) => { one.open = i < 12; }));
	const problems = await page.evaluate(looks);
	check(where + ": no error, no warning, nothing loaded", troubles.concat(requests.map(url => "asked for " + url)));
	check(where + ": labels do not overlap and stay inside their drawings", problems.overlap.concat(problems.outside));
	check(where + ": marks lie inside their axes", problems.axes);
	check(where + ": text can be read against its ground", problems.contrast);
	check(where + ": no text is cut off, no scrolling sideways", problems.clipped.concat(problems.sideways));
	check(where + ": every plot has a title and a description", problems.unnamed);
	if (name !== "big") await page.screenshot({path: path.join(shots, [name, width, scheme].join("-") + ".png"), fullPage: true});
	await page.close();
	return took;
}

/* Tab goes through everything that can be reached; what is told is which kinds of things. */
async function keyboard(browser, html) {
	const page = await browser.newPage({viewport: {width: 1280, height: 800}});
	await page.goto("file://" + html);
	const reached = new Set();
	for (let i = 0; i < 80; i++) {
		await page.keyboard.press("Tab");
		reached.add(await page.evaluate(() => {
			const at = document.activeElement;
			return at.matches("[data-filter]") ? "filter" : at.matches("[data-only-changed]") ? "only changed" :
				at.matches("svg.tare-plot") ? "plot" : at.matches(".forest a") ? "row" : at.matches("button") ? "button" : at.tagName;
		}));
	}
	await page.close();
	return reached;
}

async function suite(browser, html) {
	const page = await browser.newPage({viewport: {width: 1280, height: 800}});
	await page.goto("file://" + html);
	const shown = () => page.evaluate(() => Array.from(document.querySelectorAll(".forest tbody tr")).filter(row => !row.hidden).length);
	const all = await shown();
	await page.fill("[data-filter]", "case 7");
	const named = await shown();
	await page.fill("[data-filter]", "");
	await page.check("[data-only-changed]");
	const changed = await shown(), said = await page.textContent("output[data-count]");
	check("the filter and the only-changed view", [all !== 30 && "30 rows, not " + all, named !== 3 && "three with 7, not " + named,
		changed !== 10 && "10 changed, not " + changed, said !== "10 shown" && "said '" + said + "'"]);
	await page.uncheck("[data-only-changed]");
	const over = [];
	for (const [width, media] of [[1280, "screen"], [390, "screen"], [718, "print"]]) {
		await page.setViewportSize({width, height: 800});
		await page.emulateMedia({media});
		over.push(await page.evaluate(() => {
			const chip = document.querySelector(".forest tbody .chip"), text = chip.textContent;
			chip.textContent = "? undecided in total";
			const by = chip.getBoundingClientRect().right - chip.closest("table").getBoundingClientRect().right;
			chip.textContent = text;
			return by > 0.5 ? "at " + innerWidth + " px it leaves its table by " + by : "";
		}));
	}
	await page.emulateMedia({media: "screen"});
	await page.setViewportSize({width: 1280, height: 800});
	check("the longest verdict stays in its column", over);
	await page.click(".forest tbody tr:first-child a");
	await page.waitForFunction(() => document.querySelector("details.one").open);
	await page.screenshot({path: path.join(shots, "suite-unfolded.png")});
	check("a row leads to its plots", [await page.evaluate(() => {
		const box = document.querySelector("details.one").getBoundingClientRect();
		return box.top < 0 || box.top > innerHeight ? "its plots are at " + box.top : "";
	})]);
	await page.close();
	const reached = await keyboard(browser, html);
	check("the keyboard reaches filter, box and rows", ["filter", "only changed", "row"].map(what => !reached.has(what) && what + " was not reached"));
}

/* What changed comes first, newest first; a heading sorts, up and then down; a row leads to its plot. */
async function history(browser, html) {
	const page = await browser.newPage({viewport: {width: 1280, height: 800}});
	await page.goto("file://" + html);
	const column = n => page.evaluate(n => Array.from(document.querySelectorAll(".sortable tbody tr")).map(row => Number(row.cells[n].dataset.order)), n);
	const sorted = (values, sign) => values.every((value, i) => i === 0 || sign * (value - values[i - 1]) >= 0);
	const first = await column(4);
	await page.click(".sortable thead th:nth-child(3) button");
	const up = await column(2);
	await page.click(".sortable thead th:nth-child(3) button");
	const down = await column(2);
	check("history: newest first, and sorted by a heading", [!first.length && "no rows", !sorted(first, -1) && "not newest first",
		!sorted(up, 1) && "not sorted up", !sorted(down, -1) && "not sorted down"]);
	check("history: only what can be sorted says so", [await page.evaluate(() => Array.from(document.querySelectorAll(".sortable thead th"))
		.map(heading => heading.textContent + (heading.querySelector("button") ? "" : "-")).join()) !== "subject,metric,change (95 %),from → to,since,history-"
		&& "another heading sorts"]);
	await page.click(".sortable tbody tr:first-child a");
	check("history: a row leads to its plot", [await page.evaluate(() => {
		const box = document.querySelector(location.hash).getBoundingClientRect();
		return box.top < -1 || box.top > innerHeight ? "its plot is at " + box.top : "";
	})]);
	await page.close();
}

/* The explorer opens from a file: filters, links, and any two results of a subject side by side. */
async function explorer(browser) {
	const folder = path.resolve(shots, "explorer"), troubles = [];
	execFileSync(tare, ["report", "--store", path.join(results, "history.db"), "-o", folder]);
	for (const [file, name] of [["index.html", "explorer-index"], ["s/2.html", "explorer-subject"]])
		for (const width of [1280, 390])
			for (const scheme of ["light", "dark"]) {
				const took = await look(browser, name, path.join(folder, file), width, scheme);
				if (took > 5000) troubles.push(name + " opened in " + took + " ms");
			}
	const page = await browser.newPage({viewport: {width: 1280, height: 800}});
	await page.goto("file://" + path.join(folder, "index.html"));
	const shown = () => page.evaluate(() => Array.from(document.querySelectorAll("#results tbody tr")).filter(row => !row.hidden).length);
	const all = await shown();
	await page.fill('[data-rows="results"] input', "2023-11-20");
	const day = await shown();
	await page.fill('[data-rows="results"] input', "");
	await page.click("#subjects tbody tr:first-child a");
	await page.waitForSelector("[data-answer] p");
	const known = await page.evaluate(() => document.querySelector("[data-answer] [data-against]") !== null);
	await page.selectOption("[data-old]", {index: 9});
	const line = await page.textContent("[data-answer]");
	await page.click("header.top a");
	check("the explorer filters and shows two results side by side", troubles.concat([all !== 80 && "80 results, not " + all,
		day !== 1 && "one on that day, not " + day, !known && "neighbours are not compared", !/tare compare @\d+ @\d+/.test(line) && "said " + line,
		!page.url().endsWith("/index.html") && "the way back leads to " + page.url()]));
	await page.close();
}

/* The saved table holds what tare's own does: read again, both are exported to the same. */
async function data(browser, name, html) {
	const page = await browser.newPage({viewport: {width: 1280, height: 800}, acceptDownloads: true});
	await page.goto("file://" + html);
	const saved = {}, document_ = path.join(results, name + ".json");
	for (const kind of ["json", "csv"]) {
		const [download] = await Promise.all([page.waitForEvent("download"), page.click('[data-save="' + kind + '"]')]);
		saved[kind] = path.join(shots, name + ".saved." + kind);
		await download.saveAs(saved[kind]);
	}
	await page.close();
	const [whole, inside] = [document_, saved.json].map(file => JSON.stringify(JSON.parse(fs.readFileSync(file, "utf8"))));
	const exported = file => execFileSync(tare, ["export", "--format", "csv", file], {encoding: "utf8", stdio: ["ignore", "pipe", "ignore"]});
	fs.writeFileSync(path.join(shots, name + ".own.csv"), exported(document_));
	const [own, again] = [path.join(shots, name + ".own.csv"), saved.csv].map(exported);
	check(name + ": data are saved as JSON and CSV", [whole !== inside && "the JSON is another", own !== again && "the CSV is another"]);
}

/* On paper nothing is cut: each plot may move to the next page whole, because it is not higher than one. */
async function paper(browser, name, html) {
	const page = await browser.newPage({viewport: {width: 718, height: 1000}});
	await page.goto("file://" + html);
	await page.emulateMedia({media: "print", colorScheme: "dark"});
	await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
	const problems = await page.evaluate(() => Array.from(document.querySelectorAll("figure")).map(figure => {
		const box = figure.getBoundingClientRect(), style = getComputedStyle(figure);
		if (box.width === 0) return "";
		if (style.breakInside !== "avoid") return figure.dataset.plot + " may be cut";
		if (box.height > 1000) return figure.dataset.plot + " is " + box.height + " high";
		const svg = Array.from(figure.querySelectorAll("svg")).find(one => one.getClientRects().length);
		return svg && svg.getBoundingClientRect().right > 720 ? figure.dataset.plot + " is too wide" : "";
	}));
	/* One that is compared fits a page with the heading above, or Chromium leaves the rest of that page empty. */
	problems.push(await page.evaluate(() => Array.from(document.querySelectorAll("details.one[open]")).map(one =>
		one.getBoundingClientRect().height).filter(height => height > 880).map(height => "a comparison is " + height + " high")[0]));
	problems.push(await page.evaluate(() => document.querySelector(".data")?.getClientRects().length ? "paper offers the data" : ""));
	problems.push(await page.evaluate(() => getComputedStyle(document.body).backgroundColor === "rgb(255, 255, 255)" ? "" : "paper is not white"));
	problems.push(await page.evaluate(() => document.documentElement.scrollWidth > 719 ? "wider than the paper" : ""));
	const pdf = await page.pdf({path: path.join(shots, name + ".pdf"), format: "A4", preferCSSPageSize: true});
	problems.push(pdf.length < 5000 ? "the PDF is empty" : "");
	check(name + ": prints without cut plots", problems);
	await page.close();
}

async function hostile(browser, html) {
	const page = await browser.newPage();
	const dialogs = [];
	page.on("dialog", dialog => { dialogs.push(dialog.message()); dialog.dismiss(); });
	await page.goto("file://" + html);
	await page.evaluate(() => document.querySelectorAll("details").forEach(one => { one.open = true; }));
	const found = await page.evaluate(() => ({
		title: document.title, images: document.images.length, scripts: document.scripts.length,
		foreign: document.querySelectorAll("[onload], [onerror], iframe, object, embed, link").length,
		text: document.body.innerText}));
	check("hostile names are text", [found.title === "hit" && "a name ran as a script", found.images && "a name became an image",
		found.scripts !== 2 && found.scripts + " scripts", found.foreign && "handlers or frames", dialogs.length && "a dialog",
		!found.text.includes('<script>document.title="hit"</script>') && "the name is not shown",
		/[\u202a-\u202e\u2066-\u2069]/.test(found.text) && "a mark turns the writing"]);
	await page.close();
}

(async () => {
	const browser = await chromium.launch({executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
		args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]});
	const pages = Object.fromEntries(names.map(name => [name, make(name)]));
	for (const name of names) {
		for (const width of [1280, 390])
			for (const scheme of ["light", "dark"]) {
				if (name === "big" && scheme === "dark") continue;
				const took = await look(browser, name, pages[name], width, scheme);
				if (name === "big") console.log("# big, " + width + " px: opened in " + took + " ms, " + fs.statSync(pages[name]).size + " bytes");
			}
		if (name !== "big") await paper(browser, name, pages[name]);
	}
	if (pages.suite) await suite(browser, pages.suite);
	if (pages.history) await history(browser, pages.history);
	if (pages.history) await explorer(browser);
	if (pages.two) {
		const reached = await keyboard(browser, pages.two);
		check("the keyboard reaches plots and buttons", ["plot", "button"].map(what => !reached.has(what) && what + " was not reached"));
	}
	for (const name of ["two", "suite", "levels", "hostile", "cells", "orders"])
		if (pages[name]) await data(browser, name, pages[name]);
	if (pages.hostile) await hostile(browser, pages.hostile);
	if (pages.big) check("200 benchmarks of 10 000 values are under 5 MB", [fs.statSync(pages.big).size > 5e6 && fs.statSync(pages.big).size + " bytes"]);
	await browser.close();
	console.log("1.." + count);
	console.log("# " + (count - failed) + " passed, " + failed + " failed");
	process.exit(failed ? 1 : 0);
})().catch(error => { console.log("Bail out! " + error.stack.replace(/\n/g, "\n# ")); process.exit(1); });
