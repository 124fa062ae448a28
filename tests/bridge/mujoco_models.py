"""Models of the MuJoCo tests and the benchmark: a hinge, a slider, an arm of six joints that carries its weight."""
import mujoco

STIFF = 'solreffriction="-5e4 -2e2" solimpfriction="0.99 0.9999 0.001 0.5 2"'
ARM_LUGRE = dict(model="lugre", sigma0=1e5, sigma1=100, sigma2=0, fc=20, fs=25, vs=0.01)
ARM_COULOMB = dict(model="coulomb", fc=25, sigma2=0)
JOINTS = " ".join(f"j{i}" for i in range(6))


def plugin(config):
    if not config:
        return ""
    keys = "".join(f'<config key="{key}" value="{value}"/>' for key, value in config.items())
    return f'<plugin plugin="bristle.friction">{keys}</plugin>'


def extension(config):
    return '<extension><plugin plugin="bristle.friction"/></extension>' if config else ""


def option(step, integrator, more=""):
    return f'<option timestep="{step}" integrator="{integrator}" {more}/>'


def compiled(text):
    return mujoco.MjModel.from_xml_string(f"<mujoco>{text}</mujoco>")


def single(step, config=None, integrator="implicitfast", kind="hinge", inertia=0.01, joint="", actuators=""):
    """one body on one joint, without gravity"""
    return compiled(f"""{option(step, integrator, 'gravity="0 0 0"')}{extension(config)}
<worldbody><body><joint name="j" type="{kind}" axis="1 0 0" {joint}/>
<inertial pos="0 0 0" mass="{inertia if kind == "slide" else 1}" diaginertia="{inertia} {inertia} {inertia}"/>
{plugin(config)}</body></worldbody><actuator>{actuators}</actuator>""")


def dcmotor(name, sigma0, sigma1, fc, fs, vs):
    return (f'<dcmotor joint="{name}" motorconst="1e-6" resistance="1" input="none" '
            f'lugre="{sigma0} {sigma1} {fc} {fs} {vs}"/>')


def links(config, joint, hand, one_each):
    text = ""
    for i in range(6):
        own = dict(config) if config and (one_each or i == 0) else None
        if own and not one_each:
            own["joint"] = JOINTS
        text += (f'<body pos="{0.2 if i else 0} 0 0"><joint name="j{i}" axis="0 1 0" {joint}/>'
                 f'<inertial pos="0.1 0 0" mass="0.53" diaginertia="0.0005 0.0018 0.0018"/>{plugin(own)}')
    return text + hand + "</body>" * 6


def arm(*given, **more):
    """of the same, a model"""
    return compiled(arm_text(*given, **more))


def arm_text(step, config=None, integrator="implicitfast", contact=False, joint="", actuators="", one_each=False, options=""):
    """six links of 0.2 m, stretched out horizontally: 18.7 N m at the base; with `contact` the hand lies on the floor"""
    hand = '<geom type="sphere" size="0.03" pos="0.2 0 0" mass="0"/>' if contact else ""
    floor = '<geom type="plane" size="2 2 0.1" pos="0 0 -0.029"/>' if contact else ""
    return f"""{option(step, integrator, options)}{extension(config)}
<worldbody>{floor}{links(config, joint, hand, one_each)}</worldbody><actuator>{actuators}</actuator>"""
