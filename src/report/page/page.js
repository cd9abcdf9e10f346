"use strict";
(function () {
	const all = (selector, root) => Array.from((root || document).querySelectorAll(selector));

	/* Filter and "only changed" act on the rows of a table and on the folded plots below it alike. */
	function show(number) {
		const box = document.querySelector('[data-filter="' + number + '"]');
		const only = document.querySelector('[data-only-changed="' + number + '"]');
		const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
		const fits = (item, name) => words.every(w => name.toLowerCase().includes(w)) && (!only.checked || item.hasAttribute("data-changed"));
		const rows = all("#rows-" + number + " tbody tr"), folded = all("#details-" + number + " > details");
		rows.forEach(row => { row.hidden = !fits(row, row.cells[0].textContent); });
		folded.forEach(one => { one.hidden = !fits(one, one.querySelector("summary b").textContent); });
		const shown = (rows.length ? rows : folded).filter(item => !item.hidden).length;
		document.querySelector('[data-count="' + number + '"]').textContent = shown + " shown";
	}
	all("[data-filter]").forEach(box => {
		const number = box.dataset.filter;
		box.addEventListener("input", () => show(number));
		const only = document.querySelector('[data-only-changed="' + number + '"]');
		if (document.querySelector("#rows-" + number)) only.addEventListener("change", () => show(number));
		else only.parentElement.hidden = true;
	});

	/* A row leads to its plots. */
	function unfold() {
		const target = location.hash && document.getElementById(location.hash.slice(1));
		const folded = target && target.closest("details");
		if (!folded) return;
		folded.open = true;
		folded.scrollIntoView();
		folded.querySelector("summary").focus({preventScroll: true});
	}
	addEventListener("hashchange", unfold);
	all(".forest a").forEach(link => link.addEventListener("click", () => setTimeout(unfold)));
	unfold();

	/* Tables that sort by the column whose heading is clicked: up, then down. */
	all("table.sortable").forEach(table => all("thead th", table).forEach((heading, column) => {
		const key = row => row.cells[column].dataset.order ?? row.cells[column].textContent.trim();
		if (!Array.from(table.tBodies[0].rows).some(key)) return; /* drawings, or nothing */
		const button = document.createElement("button");
		button.type = "button";
		button.append(...heading.childNodes);
		heading.append(button);
		button.addEventListener("click", () => {
			const down = heading.getAttribute("aria-sort") === "ascending", body = table.tBodies[0];
			const order = (a, b) => isNaN(a) || isNaN(b) ? String(a).localeCompare(String(b)) : a - b;
			const rows = Array.from(body.rows).sort((a, b) => order(key(a), key(b)) * (down ? -1 : 1));
			all("th", table.tHead).forEach(other => other.removeAttribute("aria-sort"));
			heading.setAttribute("aria-sort", down ? "descending" : "ascending");
			body.append(...rows);
		});
	}));

	/* Rows by words, and by the values of the columns that are few. */
	all("[data-rows]").forEach(tools => {
		const table = document.getElementById(tools.dataset.rows), rows = Array.from(table.tBodies[0].rows);
		const box = tools.querySelector("input"), said = tools.querySelector("output"), lists = [];
		function filter() {
			const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
			let shown = 0;
			rows.forEach(row => {
				const text = row.textContent.toLowerCase();
				row.hidden = !words.every(word => text.includes(word)) ||
					!lists.every(list => !list.value || row.cells[list.column].textContent.trim() === list.value);
				shown += !row.hidden;
			});
			said.textContent = shown + " shown";
		}
		all("thead th", table).forEach((heading, column) => {
			const values = Array.from(new Set(rows.map(row => row.cells[column].textContent.trim()))).filter(Boolean).sort();
			if (!heading.hasAttribute("data-choose") || values.length < 2 || values.length > 50) return;
			const list = document.createElement("select"), label = document.createElement("label");
			list.append(new Option("all", ""), ...values.map(value => new Option(value)));
			list.column = column;
			label.append(heading.textContent.trim() + " ", list);
			said.before(label);
			lists.push(list);
			list.addEventListener("change", filter);
		});
		box.addEventListener("input", filter);
	});

	/* Any two results of a subject: what each showed, and their comparison where it was made beforehand. */
	all("[data-side-by-side]").forEach(section => {
		const rows = all("#points tbody tr"), answer = section.querySelector("[data-answer]");
		const [old, fresh] = ["[data-old]", "[data-new]"].map(name => section.querySelector(name));
		if (rows.length < 2) return;
		section.hidden = false;
		[old, fresh].forEach(list => rows.forEach(row => list.append(new Option(
			Array.from(row.cells).slice(0, 3).map(cell => cell.textContent.trim()).join(" "), row.dataset.id))));
		function tell() {
			const [a, b] = [old, fresh].map(list => rows.find(row => row.dataset.id === list.value));
			const known = b.querySelector('[data-against="' + a.dataset.id + '"]'), line = document.createElement("p");
			answer.replaceChildren(...[a, b].map(row => {
				const one = document.createElement("p");
				one.textContent = "@" + row.dataset.id + ": " + row.cells[3].textContent;
				return one;
			}), line);
			if (known) {
				line.append(known.cloneNode(true));
				return;
			}
			const command = document.createElement("code");
			command.textContent = "tare compare @" + a.dataset.id + " @" + b.dataset.id;
			line.append("to compare them: ", command);
		}
		old.value = rows[1].dataset.id;
		fresh.value = rows[0].dataset.id;
		[old, fresh].forEach(list => list.addEventListener("change", tell));
		tell();
	});

	/* Paper cannot be unfolded; a suite of many stays folded, or it would fill a ream. */
	let opened = [];
	addEventListener("beforeprint", () => {
		opened = all("details:not([open])");
		if (opened.length > 40) opened = opened.filter(one => one.hasAttribute("data-changed")).slice(0, 40);
		opened.forEach(one => { one.open = true; });
	});
	addEventListener("afterprint", () => opened.forEach(one => { one.open = false; }));

	/* As cell_put() writes it: quoted, and with an apostrophe before what a spreadsheet would calculate. */
	function cell(text) {
		text = String(text);
		const number = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?[^=+\-*\/^&|<>!@('"]*$/i;
		const guard = /^'*[=+\-@\t\r]/.test(text) && !number.test(text) ? "'" : "";
		const quote = /^ | $|[,;|\t"\r\n#]/.test(text) ? '"' : "";
		text = text.replace(/"/g, '""');
		text = text.replace(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g, c => "\\x" + c.charCodeAt(0).toString(16).padStart(2, "0"));
		return quote + guard + text + quote;
	}
	/* Every value with its 1-based places; invocations have no column and go on counting as iterations of the run.
	 * `group` counts the runs, or what else the values are in, over all groups around them. */
	function walk(values, levels, places, put) {
		const level = levels[0], last = levels.length === 1;
		values.forEach((value, i) => {
			if (levels.length === 2) places.group++;
			if (level === "invocation") places.iteration++;
			else if (level !== "iteration" || last) places[level] = i + 1;
			if (last) put(value);
			else walk(value, levels.slice(1), places, put);
			if (level === "run") places.iteration = 0;
		});
	}
	/* Both sides of a comparison may have the same name, program and parameters: the second is "name #2". */
	function uniqueNames(subjects) {
		const known = new Set();
		return subjects.map(subject => {
			const key = name => JSON.stringify([name, subject.program, subject.parameters]);
			let name = subject.name;
			for (let k = 2; known.has(key(name)); k++) name = subject.name + " #" + k;
			known.add(key(name));
			return name;
		});
	}
	/* The table of `tare export --format csv`, which tare reads again. */
	function csv(result) {
		const {design, subjects} = result, names = uniqueNames(subjects), order = design.paired && design.order;
		const levelsOf = metric => metric.sample_levels || design.levels;
		const used = new Set(subjects.flatMap(subject => Object.values(subject.metrics).flatMap(levelsOf)).concat("run", "iteration"));
		const levels = ["machine", "build", "run", "iteration"].filter(level => used.has(level));
		const programs = subjects.some(subject => subject.benchmark || subject.program);
		const parameters = Array.from(new Set(subjects.flatMap(subject => Object.keys(subject.parameters))));
		const lines = [["subject", ...(programs ? ["benchmark", "program"] : []), ...parameters.map(name => "parameter:" + name),
			"metric", "unit", "better", ...levels, ...(design.paired ? ["pair"] : []), ...(order ? ["order"] : []), "value"]];
		subjects.forEach((subject, i) => Object.entries(subject.metrics).forEach(([name, metric]) => {
			const own = new Map(Object.entries(subject.parameters)), places = {machine: 1, build: 1, run: 1, iteration: 0, group: 0};
			const front = [names[i], ...(programs ? [subject.benchmark || "", subject.program || ""] : []),
				...parameters.map(parameter => own.get(parameter) || ""), name, metric.unit, metric.better];
			let index = 0;
			walk(metric.samples || [], levelsOf(metric), places, value => {
				index++;
				const pair = design.paired ? [metric.pair_set ? metric.pair_set + "-" + index : index] : [];
				const entry = design.order_level === "run" ? places.group : index;
				lines.push([...front, ...levels.map(level => places[level]), ...pair, ...(order ? [order[entry - 1] || ""] : []),
					value === null ? "" : value]);
			});
		}));
		return lines.map(line => line.map(cell).join(",")).join("\n") + "\n";
	}
	all("[data-save]").forEach(button => button.addEventListener("click", () => {
		const text = document.getElementById(button.dataset.from).textContent, kind = button.dataset.save;
		const blob = new Blob([kind === "csv" ? csv(JSON.parse(text)) : text], {type: kind === "csv" ? "text/csv" : "application/json"});
		const link = document.createElement("a");
		link.href = URL.createObjectURL(blob);
		link.download = "tare-" + button.dataset.from + "." + kind;
		link.click();
		setTimeout(() => URL.revokeObjectURL(link.href), 1000);
	}));
})();
