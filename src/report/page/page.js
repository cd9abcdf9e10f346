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

	/* Paper cannot be unfolded; a suite of many stays folded, or it would fill a ream. */
	let opened = [];
	addEventListener("beforeprint", () => {
		opened = all("details:not([open])");
		if (opened.length > 40) opened = opened.filter(one => one.hasAttribute("data-changed")).slice(0, 40);
		opened.forEach(one => { one.open = true; });
	});
	addEventListener("afterprint", () => opened.forEach(one => { one.open = false; }));

	function cell(text) {
		text = String(text);
		return /[",\n\r]/.test(text) ? '"' + text.replace(/"/g, '""') + '"' : text;
	}
	function rows(values, places, put) {
		values.forEach((value, i) => {
			if (Array.isArray(value)) rows(value, places.concat(i), put);
			else put(places.concat(i), value);
		});
	}
	function csv(result) {
		const lines = ["subject,metric,unit,place,value"];
		result.subjects.forEach(subject => Object.keys(subject.metrics).forEach(name => {
			const metric = subject.metrics[name];
			rows(metric.samples || [], [], (place, value) =>
				lines.push([subject.name, name, metric.unit, place.join("/"), value === null ? "" : value].map(cell).join(",")));
		}));
		return lines.join("\n") + "\n";
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
