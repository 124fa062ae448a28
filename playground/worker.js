/* An identification away from the page: one command, its progress, then every file that it made. */
onmessage = async ({ data: { module, files, args } }) => {
  const disk = new Map(files);
  try {
    const result = await runTool(module, disk, args, fraction => postMessage({ fraction }));
    for (const [name] of files) disk.delete(name);
    postMessage({ result, made: [...disk] });
  } catch (error) {
    postMessage({ failed: String(error.message || error) });
  }
};
