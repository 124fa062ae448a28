% Octave's lsode and ode15s on the stick-slip benchmark: one line for each method and target.
%
% Usage: octave-cli solver_octave.m REFERENCE, a file of 2001 doubles. Prints `method target seconds error`; the setting
% is the loosest one that meets the target together with every tighter setting of the sweep.
1;

function d = rates(y, t)
  u = y(2) / 1e-3;
  g = 1 + 0.5 * exp(-u * u);
  dz = y(2) - 1e5 * abs(y(2)) * y(3) / g;
  d = [y(2); 2 * (0.1 * t - y(1)) - 1e5 * y(3) - sqrt(1e5) * dz - 0.4 * y(2); dz];
end

function j = jacobian(y, t)
  v = y(2);
  u = v / 1e-3;
  fade = 0.5 * exp(-u * u);
  g = 1 + fade;
  slope = -2 * u / 1e-3 * fade;
  by_v = 1 - 1e5 * y(3) * ((2 * (v >= 0) - 1) / g - abs(v) * slope / (g * g));
  by_z = -1e5 * abs(v) / g;
  s = sqrt(1e5);
  j = [0, 1, 0; -2, -s * by_v - 0.4, -1e5 - s * by_z; 0, by_v, by_z];
end

function x = with_lsode(grid, rtol)
  lsode_options("relative tolerance", rtol);
  lsode_options("absolute tolerance", rtol * [1; 0.1; 1e-5]);
  lsode_options("step limit", 1000000);
  [y, state] = lsode({@rates, @jacobian}, [0; 0; 0], grid);
  x = y(:, 1);
  if state != 2 x(:) = Inf; end
end

function x = with_ode15s(grid, rtol)
  set = odeset("RelTol", rtol, "AbsTol", rtol * [1; 0.1; 1e-5], "Jacobian", @(t, y) jacobian(y, t));
  [t, y] = ode15s(@(t, y) rates(y, t), grid, [0; 0; 0], set);
  x = Inf * grid;
  if numel(t) == numel(grid) x = y(:, 1); end
end

function sweep(name, method, grid, reference, exponents)
  seconds = errors = Inf * exponents;
  for k = 1:numel(exponents)
    begun = cputime();
    try
      x = method(grid, 10 ^ -exponents(k));
      errors(k) = max(abs(x - reference));
    catch
    end
    seconds(k) = cputime() - begun;
  end
  for target = [1e-4, 1e-6, 1e-8]
    first = numel(exponents) + 1;
    while first > 1 && errors(first - 1) <= target first--; end
    if first <= numel(exponents) printf("%s %g %g %g\n", name, target, seconds(first), errors(first)); end
  end
end

file = fopen(argv(){end}, "rb");
reference = fread(file, Inf, "double");
fclose(file);
grid = (0:numel(reference) - 1)' / 100;
sweep("lsode", @with_lsode, grid, reference, 3:0.5:11);
sweep("ode15s", @with_ode15s, grid, reference, 3:0.5:9);
